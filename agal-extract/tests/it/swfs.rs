//! SWF and SWC files for tests.

use std::io::Write;

use swf::{
    Compression, DefineBinaryData, DoAbc2, DoAbc2Flag, Fixed8, Header, Rectangle, SwfStr, SymbolClassLink, Tag, Twips,
};

/// A SWF with code and with data that classes embed.
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
        version: 14,
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

/// A zip archive, as a SWC is.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a name");
        archive.write_all(bytes).expect("memory can be written");
    }
    archive.finish().expect("memory can be written").into_inner()
}
