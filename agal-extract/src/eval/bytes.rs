//! Models byte arrays that code writes and reads.

use crate::eval::machine::{Known, Run, Stop};
use crate::eval::number;
use crate::eval::value::{Bytes, ObjectKind, Ref, Value};
use crate::unpack::{Packing, unpack};

const LONGEST: usize = 1 << 20;
/// The number of bytes that can be created at the cost of one instruction. This cost bounds the memory that the bytes of a path
/// can occupy.
pub(crate) const BYTES: usize = 8;

impl Bytes {
    /// Writes bytes at the current position. Returns `None` if the array would become too long.
    fn write(&mut self, new: &[u8]) -> Option<()> {
        let end = self.position.checked_add(new.len()).filter(|end| *end <= LONGEST)?;
        self.bytes.resize(self.bytes.len().max(end), 0);
        self.bytes.get_mut(self.position..end)?.copy_from_slice(new);
        self.position = end;
        Some(())
    }

    /// Writes a number in the array's byte order. `new` contains the number's bytes in big-endian order.
    fn write_number(&mut self, mut new: Vec<u8>) -> Option<()> {
        if self.is_little {
            new.reverse();
        }
        self.write(&new)
    }

    fn read(&mut self, length: usize) -> Option<Vec<u8>> {
        let end = self.position.checked_add(length)?;
        let found = self.bytes.get(self.position..end)?.to_vec();
        self.position = end;
        Some(found)
    }

    /// Reads a number in the array's byte order, and returns its bytes in big-endian order.
    fn read_number<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut found = self.read(N)?;
        if self.is_little {
            found.reverse();
        }
        found.try_into().ok()
    }
}

impl Run<'_, '_> {
    fn bytes_of(&mut self, at: Ref) -> Result<&mut Bytes, Stop> {
        if let ObjectKind::Bytes(bytes) = &mut self.object_mut(at)?.kind { Ok(bytes) } else { Err(Stop::Broken) }
    }

    pub(crate) fn bytes_method(&mut self, at: Ref, name: &str, arguments: &[Value]) -> Known {
        let known: Vec<Value> = arguments.iter().map(|value| self.known(value)).collect();
        if name.starts_with("write") {
            let before = self.bytes_of(at)?.bytes.len();
            let written = self.write_bytes(at, name, &known)?;
            let bytes = self.bytes_of(at)?;
            bytes.is_unknown |= written.is_none();
            let new = bytes.bytes.len().saturating_sub(before);
            self.spend(new / BYTES)?;
            return Ok(Some(Value::Undefined));
        }
        let bytes = self.bytes_of(at)?;
        if bytes.is_unknown {
            return Ok(None);
        }
        let length = bytes.bytes.len().saturating_sub(bytes.position);
        self.spend(length / 64)?;
        let bytes = self.bytes_of(at)?;
        match name {
            "clear" => {
                bytes.bytes.clear();
                bytes.position = 0;
            }
            "compress" | "deflate" => bytes.is_unknown = true,
            "uncompress" | "inflate" => {
                let packing = match (name, known.first().and_then(Value::known_text)) {
                    ("inflate", _) | (_, Some("deflate")) => Packing::Deflate,
                    (_, Some("lzma")) => Packing::Lzma,
                    _ => Packing::Zlib,
                };
                let unpacked = unpack(packing, &bytes.bytes, LONGEST);
                bytes.is_unknown = !unpacked.is_whole();
                bytes.position = 0;
                bytes.bytes = unpacked.bytes;
                let length = bytes.bytes.len();
                self.spend(length / BYTES)?;
            }
            _ => return Ok(read_value(bytes, name, &known)),
        }
        Ok(Some(Value::Undefined))
    }

    fn write_bytes(&mut self, at: Ref, name: &str, arguments: &[Value]) -> Result<Option<()>, Stop> {
        let Some(first) = arguments.first() else { return Ok(None) };
        if name == "writeBytes" {
            let Value::Object(other) = first else { return Ok(None) };
            let ObjectKind::Bytes(source) = &self.object(*other)?.kind else { return Ok(None) };
            if source.is_unknown {
                return Ok(None);
            }
            let place = |at: usize| arguments.get(at).and_then(Value::number).map(number::to_i64).unwrap_or_default();
            let from = usize::try_from(place(1)).unwrap_or_default();
            let length = match usize::try_from(place(2)).unwrap_or_default() {
                0 => source.bytes.len().saturating_sub(from),
                length => length,
            };
            let new = source.bytes.get(from..from.saturating_add(length)).unwrap_or_default().to_vec();
            return Ok(self.bytes_of(at)?.write(&new));
        }
        if let "writeUTFBytes" | "writeUTF" | "writeMultiByte" = name {
            let text = self.text_of(first)?;
            let Some(text) = text.known().map(str::to_string) else { return Ok(None) };
            let bytes = self.bytes_of(at)?;
            if name == "writeUTF" {
                let Ok(length) = u16::try_from(text.len()) else { return Ok(None) };
                if bytes.write_number(length.to_be_bytes().to_vec()).is_none() {
                    return Ok(None);
                }
            }
            return Ok(bytes.write(text.as_bytes()));
        }
        let Some(value) = first.number() else { return Ok(None) };
        let word = number::uint32(value).to_be_bytes();
        let bytes = self.bytes_of(at)?;
        let last = |count: usize| word.get(4 - count..).unwrap_or_default().to_vec();
        Ok(match name {
            "writeByte" => bytes.write(&last(1)),
            "writeBoolean" => bytes.write(&[u8::from(value != 0.0)]),
            "writeShort" => bytes.write_number(last(2)),
            "writeInt" | "writeUnsignedInt" => bytes.write_number(last(4)),
            #[expect(clippy::cast_possible_truncation, reason = "`writeFloat` rounds to single precision")]
            "writeFloat" => bytes.write_number((value as f32).to_be_bytes().to_vec()),
            "writeDouble" => bytes.write_number(value.to_be_bytes().to_vec()),
            _ => None,
        })
    }
}

fn read_value(bytes: &mut Bytes, name: &str, arguments: &[Value]) -> Option<Value> {
    let length = || usize::try_from(number::to_i64(arguments.first()?.number()?)).ok();
    Some(match name {
        "toString" => Value::text(String::from_utf8_lossy(&bytes.bytes).trim_start_matches('\u{feff}')),
        "readByte" => Value::Number(f64::from(i8::from_be_bytes(bytes.read_number()?))),
        "readUnsignedByte" => Value::Number(f64::from(u8::from_be_bytes(bytes.read_number()?))),
        "readBoolean" => Value::Bool(bytes.read(1)?.first() != Some(&0)),
        "readShort" => Value::Number(f64::from(i16::from_be_bytes(bytes.read_number()?))),
        "readUnsignedShort" => Value::Number(f64::from(u16::from_be_bytes(bytes.read_number()?))),
        "readInt" => Value::Number(f64::from(i32::from_be_bytes(bytes.read_number()?))),
        "readUnsignedInt" => Value::Number(f64::from(u32::from_be_bytes(bytes.read_number()?))),
        "readFloat" => Value::Number(f64::from(f32::from_be_bytes(bytes.read_number()?))),
        "readDouble" => Value::Number(f64::from_be_bytes(bytes.read_number()?)),
        "readUTF" => {
            let length = u16::from_be_bytes(bytes.read_number()?);
            Value::text(&String::from_utf8_lossy(&bytes.read(usize::from(length))?))
        }
        "readUTFBytes" | "readMultiByte" => Value::text(&String::from_utf8_lossy(&bytes.read(length()?)?)),
        _ => return None,
    })
}
