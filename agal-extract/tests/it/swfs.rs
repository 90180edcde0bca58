//! Builds SWF and SWC files for tests.

use std::io::Write;

use swf::{
    Compression, DefineBinaryData, DoAbc2, DoAbc2Flag, Fixed8, Header, Rectangle, SwfStr, SymbolClassLink, Tag, Twips,
};

/// Builds a SWF from an ABC block and the data items that the block's classes embed.
pub(crate) fn swf(compression: Compression, abc: &[u8], data: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tags = Vec::new();
    let mut symbols = Vec::new();
    for (id, (class, data)) in (1u16..).zip(data) {
        tags.push(Tag::DefineBinaryData(DefineBinaryData { id, data }));
        symbols.push(SymbolClassLink { id, class_name: SwfStr::from_utf8_str(class) });
    }
    if !abc.is_empty() {
        tags.push(Tag::DoAbc2(DoAbc2 { flags: DoAbc2Flag::empty(), name: SwfStr::from_utf8_str("code"), data: abc }));
    }
    tags.push(Tag::SymbolClass(symbols));
    tags.push(Tag::ShowFrame);
    let header = Header {
        compression,
        version: 28,
        stage_size: Rectangle {
            x_min: Twips::ZERO,
            x_max: Twips::from_pixels(640.0),
            y_min: Twips::ZERO,
            y_max: Twips::from_pixels(480.0),
        },
        frame_rate: Fixed8::from_f32(60.0),
        num_frames: 1,
    };
    let mut bytes = Vec::new();
    swf::write_swf(&header, &tags, &mut bytes).expect("memory can be written");
    bytes
}

/// Builds a zip archive, the container format of a SWC.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a name");
        archive.write_all(bytes).expect("memory can be written");
    }
    archive.finish().expect("memory can be written").into_inner()
}

pub(crate) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, bytes) in files {
        let mut head = vec![0; 512];
        let mut put = |at: usize, field: &[u8]| head[at..at + field.len()].copy_from_slice(field);
        put(0, name.as_bytes());
        put(100, b"0000644\0");
        put(124, format!("{:011o}", bytes.len()).as_bytes());
        put(148, b"        ");
        put(156, b"0");
        put(257, b"ustar\x0000");
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.extend(head);
        archive.extend_from_slice(bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

pub(crate) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

/// Compresses data as `ByteArray.deflate()` does.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

/// Compresses data as `ByteArray.compress("lzma")` does: the properties and the unpacked length precede the stream.
pub(crate) fn lzma(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rs::compress::Options {
        unpacked_size: lzma_rs::compress::UnpackedSize::WriteToHeader(Some(bytes.len() as u64)),
    };
    let mut packed = Vec::new();
    lzma_rs::lzma_compress_with_options(&mut &bytes[..], &mut packed, &options).expect("memory can be written");
    packed
}

/// Builds a PKCS #7 signature that contains the signed data, as in a SWZ. If `is_open` is true, elements have indefinite lengths
/// and the data is split into pieces.
pub(crate) fn signed(bytes: &[u8], is_open: bool) -> Vec<u8> {
    let element = |tag: u8, contents: &[&[u8]]| {
        let contents = contents.concat();
        if is_open && tag & 0x20 != 0 {
            return [&[tag, 0x80], &contents[..], &[0, 0]].concat();
        }
        let length = u32::try_from(contents.len()).expect("a short element").to_be_bytes();
        [&[tag, 0x84], &length[..], &contents].concat()
    };
    let oid = |last: u8| element(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, last]]);
    let oid = |last: u8| [&[6, 9], &oid(last)[6..]].concat();
    let pieces: Vec<u8> = bytes.chunks(1000).flat_map(|piece| element(4, &[piece])).collect();
    let content = if is_open { element(0x24, &[&pieces]) } else { element(4, &[bytes]) };
    let inner = element(0x30, &[&oid(1), &element(0xa0, &[&content])]);
    let data = element(0x30, &[&[2, 1, 1], &element(0x31, &[&element(0x30, &[&oid(5)])]), &inner, &element(0x31, &[])]);
    element(0x30, &[&oid(2), &element(0xa0, &[&data])])
}
