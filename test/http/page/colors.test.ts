import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { it } from 'node:test';
import { CODES } from '../../../src/weather/conditions/conditions.js';

/** The colors of the page, whose text axe does not see: borders. */

const CSS = readFileSync('src/http/page/browser/style/colors.css', 'utf8');
/** The colors by their names, in the light scheme, and in the dark one. */
const SCHEMES = ['light', 'dark'].map((scheme) => {
  const [light = '', dark = ''] = CSS.split('@media');
  const read = (text: string) =>
    [...text.matchAll(/(--[\w-]+): (#\w+);/g)].map(([, k, v]) => [k, v]);
  const colors = Object.fromEntries([
    ...read(light),
    ...(scheme === 'dark' ? read(dark) : []),
  ]) as Record<string, string>;
  return { scheme, colors };
});

/** The relative luminance of a color (WCAG 2.2). @param hex such as `#fff` or `#17202b` */
function luminanceOf(hex: string): number {
  const digits = hex.length === 4 ? hex.replace(/\w/g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = parseInt(digits.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

it('the border of the card has a contrast of 3:1 to the page with each condition, by day and by night', async () => {
  const { outputFiles } = await build({
    absWorkingDir: resolve('src/http/page/browser'),
    entryPoints: ['place/weather-icon.tsx'],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const code = Buffer.from(outputFiles[0]!.text).toString('base64');
  const { tintOf } = (await import(`data:text/javascript;base64,${code}`)) as {
    tintOf: (code: number | null, isDay: boolean) => string;
  };
  const tints = [...CODES, null].flatMap((each) => [tintOf(each, true), tintOf(each, false)]);
  assert.ok(new Set(tints).size >= 6);
  for (const tint of tints) {
    for (const { scheme, colors } of SCHEMES) {
      const contrast = contrastOf(colors[`--${tint}`] ?? '', colors['--page'] ?? '');
      assert.ok(contrast >= 3, `${scheme} ${tint}: ${contrast.toFixed(2)}`);
    }
  }
});

it('the lines of the icons have a contrast of 3:1 to the parts of the page', () => {
  for (const { scheme, colors } of SCHEMES) {
    for (const name of ['sun-line', 'moon-line', 'cloud-line', 'water', 'snow']) {
      const contrast = contrastOf(colors[`--${name}`] ?? '', colors['--surface'] ?? '');
      assert.ok(contrast >= 3, `${name} ${scheme}: ${contrast.toFixed(2)}`);
    }
  }
});
