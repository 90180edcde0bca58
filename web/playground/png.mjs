// Pictures as PNG files, for the build and the tests: eight bits for each of red, green, blue and alpha.

import { deflateSync } from "node:zlib";

/** The checksum of a chunk, as the standard defines it. */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

function chunk(type, data) {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** Each row is stored as the difference from the one above. */
export function png({ width, height, rgba }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const row = width * 4;
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) {
    rows[(row + 1) * y] = 2;
    for (let x = 0; x < row; x++) rows[(row + 1) * y + 1 + x] = rgba[row * y + x] - (y > 0 ? rgba[row * (y - 1) + x] : 0);
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
