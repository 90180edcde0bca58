// Compares two pictures by the rule of `agalc compare`: a pixel is at an edge if, in either picture, the pixel and its eight neighbours
// differ by more than a fixed contrast. At an edge, a slightly different sample position may change the whole colour.

/** Differences of a component up to this are ignored. */
export const THRESHOLD = 2;
const CONTRAST = 16;

export interface Difference {
  greatest: number;
  /** The greatest difference outside edges. */
  elsewhere: number;
  /** The mean difference over all components. */
  mean: number;
  /** The number of pixels that differ by more than the threshold. */
  differing: number;
}

interface Size {
  width: number;
  height: number;
}

function isEdge(pixels: Uint8Array, { width, height }: Size, x: number, y: number): boolean {
  for (let part = 0; part < 4; part++) {
    let [least, most] = [255, 0];
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
        const value = pixels[4 * (row * width + column) + part] ?? 0;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    if (most - least > CONTRAST) return true;
  }
  return false;
}

export function compare(a: Uint8Array, b: Uint8Array, size: Size): Difference {
  const difference: Difference = { greatest: 0, elsewhere: 0, mean: 0, differing: 0 };
  let sum = 0;
  for (let at = 0; at < a.length; at += 4) {
    let greatest = 0;
    for (let part = at; part < at + 4; part++) {
      const apart = Math.abs((a[part] ?? 0) - (b[part] ?? 0));
      sum += apart;
      greatest = Math.max(greatest, apart);
    }
    difference.greatest = Math.max(difference.greatest, greatest);
    if (greatest > THRESHOLD) difference.differing++;
    // Edges are detected only where they may change the result.
    if (greatest > difference.elsewhere) {
      const [x, y] = [(at / 4) % size.width, Math.floor(at / 4 / size.width)];
      if (!isEdge(a, size, x, y) && !isEdge(b, size, x, y)) difference.elsewhere = greatest;
    }
  }
  difference.mean = a.length === 0 ? 0 : sum / a.length;
  return difference;
}

/** The difference of each component, made visible. */
export function differencePicture(a: Uint8Array, b: Uint8Array, factor: number): Uint8Array {
  const picture = new Uint8Array(a.length);
  for (let at = 0; at < a.length; at++) {
    const apart = Math.abs((a[at] ?? 0) - (b[at] ?? 0));
    picture[at] = at % 4 === 3 ? 255 : Math.min(255, factor * apart);
  }
  return picture;
}
