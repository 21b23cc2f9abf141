import { bounds, growthOf, type Result } from './bounds.ts';

const rowHeight = 22;
const labelWidth = 270;
const chartWidth = 270;
const gap = 40;
const top = 56;

type Bar = { value: number; isGood: boolean };

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function chart(title: string, left: number, bars: Bar[], limit: number, max: number): string {
  const scale = (value: number) => (Math.min(value, max) / max) * chartWidth;
  const height = bars.length * rowHeight;
  const rects = bars.map(({ value, isGood }, row) => {
    const y = top + row * rowHeight;
    return `<rect x="${left}" y="${y + 3}" width="${scale(value).toFixed(1)}" height="${rowHeight - 8}" rx="2" fill="${isGood ? '#2f9e77' : '#d9480f'}"/>
<text x="${(left + scale(value) + 4).toFixed(1)}" y="${y + 15}" class="value">${value.toFixed(2)}</text>`;
  });
  const at = (left + scale(limit)).toFixed(1);
  return `<text x="${left}" y="${top - 26}" class="title">${escaped(title)}</text>
${rects.join('\n')}
<line x1="${at}" x2="${at}" y1="${top - 8}" y2="${top + height}" stroke="#868e96" stroke-dasharray="4 3"/>
<text x="${at}" y="${top - 12}" class="value" text-anchor="middle">${limit}</text>`;
}

/** Readable on a light and on a dark page. */
export function chartOf(result: Result): string {
  const { measured } = result;
  const height = top + measured.length * rowHeight + 16;
  const width = labelWidth + 2 * (chartWidth + gap) + 10;
  const labels = measured.map(
    ({ name }, row) =>
      `<text x="${labelWidth - 12}" y="${top + row * rowHeight + 15}" text-anchor="end">${escaped(name)}</text>`,
  );
  const ratios = measured.map(({ ratio, atLeast }) => ({ value: ratio, isGood: ratio >= atLeast }));
  const growths = measured.map((one) => {
    const value = growthOf(result, one);
    return { value, isGood: one.mayGrow || value <= bounds.growth };
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Each case against the floor, and its growth from 1 % of the data to all of it">
<style>
text { font: 12px system-ui, sans-serif; fill: #495057; }
.title { font-weight: 600; font-size: 13px; }
.value { font-size: 11px; }
@media (prefers-color-scheme: dark) { text { fill: #ced4da; } }
</style>
${labels.join('\n')}
${chart('requests/s, as a share of the floor', labelWidth, ratios, 1, 1.5)}
${chart('p50 with all the data, in times of 1 %', labelWidth + chartWidth + gap, growths, bounds.growth, 3)}
</svg>
`;
}
