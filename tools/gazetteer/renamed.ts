/**
 * New names that neither data set has, by country and GeoNames' name; reviewed in 2026-11. Only a place with at least this
 * population gets them, because smaller places can have the same old name. The acts are given as references; their
 * texts were not checked.
 */
export const RENAMED: Record<string, { people: number; names: string[] }> = {
  // Government of Maharashtra, gazette of 2023-09-15.
  'IN:Aurangabad': { people: 300_000, names: ['Chhatrapati Sambhajinagar', 'Sambhajinagar'] },
  // Government of India, Ministry of Home Affairs, 2024-09-13.
  'IN:Port Blair': { people: 50_000, names: ['Sri Vijaya Puram'] },
  // Government of Chhattisgarh, 2018: the new capital, Naya Raipur.
  'IN:Naya Raipur': { people: 0, names: ['Atal Nagar', 'Nava Raipur'] },
  // South Africa, Government Gazette 39669 (2016-02-09) and 41738 (2018-06-29).
  'ZA:Queenstown': { people: 10_000, names: ['Komani'] },
  'ZA:Grahamstown': { people: 10_000, names: ['Makhanda'] },
  // Bangladesh, NICAR, 2018-04-02.
  'BD:Jessore': { people: 50_000, names: ['Jashore'] },
  // Kazakhstan, decree of 2022-05-03, formerly Kapchagay; other romanizations.
  'KZ:Konayev': { people: 10_000, names: ['Qonaev', 'Konaev', 'Qonayev'] },
  // Seats of government that are known by the name of their island, or of a larger place.
  'TC:Cockburn Town': { people: 0, names: ['Grand Turk'] },
  'MP:Saipan': { people: 0, names: ['Capitol Hill'] },
  'GS:Grytviken': { people: 0, names: ['King Edward Point'] },
  'TK:Fale old settlement': { people: 0, names: ['Fakaofo', 'Fale'] },
  'IO:Downtown': { people: 0, names: ['Diego Garcia'] },
  // Readings in kana, which an input method shows before it converts them to Chinese characters.
  'JP:Tokyo': { people: 100_000, names: ['とうきょう'] },
  'JP:Yokohama': { people: 100_000, names: ['よこはま'] },
  'JP:Osaka': { people: 100_000, names: ['おおさか'] },
  'JP:Nagoya': { people: 100_000, names: ['なごや'] },
  'JP:Sapporo': { people: 100_000, names: ['さっぽろ'] },
  'JP:Fukuoka': { people: 100_000, names: ['ふくおか'] },
  'JP:Kobe': { people: 100_000, names: ['こうべ'] },
  'JP:Kyoto': { people: 100_000, names: ['きょうと'] },
  'JP:Hiroshima': { people: 100_000, names: ['ひろしま'] },
  'JP:Sendai': { people: 100_000, names: ['せんだい'] },
  'JP:Chiba': { people: 100_000, names: ['ちば'] },
  'JP:Niigata': { people: 100_000, names: ['にいがた'] },
  'JP:Nagasaki': { people: 100_000, names: ['ながさき'] },
  'JP:Kagoshima': { people: 100_000, names: ['かごしま'] },
  'JP:Kumamoto': { people: 100_000, names: ['くまもと'] },
  'JP:Okayama': { people: 100_000, names: ['おかやま'] },
  'JP:Shizuoka': { people: 100_000, names: ['しずおか'] },
  'JP:Kanazawa': { people: 100_000, names: ['かなざわ'] },
  'JP:Nara': { people: 100_000, names: ['なら'] },
  'JP:Naha': { people: 100_000, names: ['なは'] },
};
