import type { Picture } from './formats/pdf-picture.ts';

const tilesPerSide = 8;
const step = 3;
const shades = 256;
const minDifference = 64;

/** The shade of the paper in a part of the page: most of its pixels are paper. */
function medianShade({ width, height, grey }: Picture, row: number, column: number): number {
  const counts = new Uint32Array(shades);
  const [top, bottom] = [row, row + 1].map((edge) => Math.floor((edge * height) / tilesPerSide)) as [
    number,
    number,
  ];
  const [left, right] = [column, column + 1].map((edge) => Math.floor((edge * width) / tilesPerSide)) as [
    number,
    number,
  ];
  let all = 0;
  for (let y = top; y < bottom; y += step) {
    for (let x = left; x < right; x += step) {
      const shade = grey[y * width + x] ?? 0;
      counts[shade] = (counts[shade] ?? 0) + 1;
      all += 1;
    }
  }
  let shade = 0;
  for (let below = counts[0] ?? 0; below < all / 2; below += counts[shade] ?? 0) shade += 1;
  return shade;
}

/** Whether some of the paper is much darker than the rest, as on photos of papers. */
export function hasShadow(picture: Picture): boolean {
  const places = Array.from({ length: tilesPerSide }, (_, place) => place);
  const medians = places.flatMap((row) => places.map((column) => medianShade(picture, row, column)));
  return Math.max(...medians) - Math.min(...medians) >= minDifference;
}
