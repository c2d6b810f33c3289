/** By the highest WMO code that they stand for: the layers of the picture in the page. */
const SKIES: readonly (readonly [code: number, layers: string])[] = [
  [1, 'star alone'],
  [2, 'star cloud'],
  [3, 'cloud'],
  [48, 'cloud fog'],
  [55, 'cloud rain'],
  [57, 'cloud ice'],
  [65, 'cloud rain'],
  [67, 'cloud ice'],
  [77, 'cloud snow'],
  [82, 'star cloud rain'],
  [86, 'star cloud snow'],
  [95, 'cloud bolt'],
  [99, 'cloud bolt ice'],
];

/** The classes of the picture for an answer; none where the sky is not known. */
export function skyOf(headers: Headers): string {
  const code = headers.get('X-Weather-Code');
  if (code === null) return '';
  const [, layers = ''] = SKIES.find(([highest]) => Number(code) <= highest) ?? [];
  return layers.replace('star', headers.get('X-Weather-Is-Day') === '0' ? 'moon' : 'sun');
}
