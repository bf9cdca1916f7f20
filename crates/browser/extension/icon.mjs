// Draws the icon: two pages, one below the other, joined.
import { deflateSync, crc32 } from "node:zlib";

const INK = [0x1b, 0x49, 0x65, 255];
const PAPER = [0xee, 0xf3, 0xf7, 255];
const JOIN = [0xf4, 0xa2, 0x61, 255];
const NOTHING = [0, 0, 0, 0];

/** The colour at a place of the unit square. */
function colour(x, y) {
  const inside = (left, top, right, bottom) => x >= left && x < right && y >= top && y < bottom;
  if (!inside(0.12, 0.02, 0.88, 0.98)) return NOTHING;
  if (inside(0.2, 0.46, 0.8, 0.54)) return JOIN;
  if (!inside(0.18, 0.08, 0.82, 0.46) && !inside(0.18, 0.54, 0.82, 0.92)) return INK;
  const lines = [0.16, 0.26, 0.36, 0.62, 0.72, 0.82];
  return lines.some((top) => inside(0.26, top, top === 0.82 ? 0.56 : 0.74, top + 0.05)) ? INK : PAPER;
}

function chunk(type, data) {
  const head = Buffer.from(type);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(Buffer.concat([head, data])));
  return Buffer.concat([length, head, data, sum]);
}

/** Returns the icon as PNG, `size` pixels wide and high, each the mean of 4 × 4 points. */
export function icon(size) {
  const rows = [];
  for (let y = 0; y < size; y += 1) {
    const row = Buffer.alloc(1 + 4 * size);
    for (let x = 0; x < size; x += 1) {
      const sum = [0, 0, 0, 0];
      for (let point = 0; point < 16; point += 1) {
        const [r, g, b, a] = colour((x + ((point % 4) + 0.5) / 4) / size, (y + ((point >> 2) + 0.5) / 4) / size);
        [r * a, g * a, b * a, a].forEach((part, at) => (sum[at] += part));
      }
      const alpha = sum[3];
      for (let at = 0; at < 3; at += 1) row[1 + 4 * x + at] = alpha === 0 ? 0 : Math.round(sum[at] / alpha);
      row[1 + 4 * x + 3] = Math.round(alpha / 16);
    }
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), chunk("IEND", Buffer.alloc(0)),
  ]);
}
