/**
 * New names that neither data set has, by country and GeoNames' name; reviewed in 2026-11. Only a
 * place with at least this population gets them, because smaller places can have the same old name.
 * The acts are given as references; their texts were not checked.
 */
export const RENAMED: Partial<Record<string, { people: number; names: string[] }>> = {
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
  // Verkhovna Rada of Ukraine, resolution 3984-IX of 2024-09-19, and later ones of 2024: the
  // Ukrainian names of places that the newest list has only in Latin letters.
  'UA:Siverskodonetsk': { people: 50_000, names: ['Сіверськодонецьк'] },
  'UA:Samar': { people: 50_000, names: ['Самар'] },
  'UA:Sheptytskyi': { people: 50_000, names: ['Шептицький'] },
  'UA:Pivdennoukrainsk': { people: 30_000, names: ['Південноукраїнськ'] },
  'UA:Sokolohirsk': { people: 0, names: ['Сокологірськ'] },
  'UA:Pivdenne': { people: 10_000, names: ['Південне'] },
  'UA:Zlatopil': { people: 20_000, names: ['Златопіль'] },
  'UA:Otamanivka': { people: 10_000, names: ['Отаманівка'] },
  'UA:Berestyn': { people: 10_000, names: ['Берестин'] },
  'UA:Bahacheve': { people: 10_000, names: ['Багачеве'] },
  'UA:Khutir-Mykhaylivskyi': { people: 5_000, names: ['Хутір-Михайлівський'] },
  'UA:Aydar': { people: 5_000, names: ['Айдар'] },
  'UA:Sloboda': { people: 5_000, names: ['Слобода'] },
  'UA:Yavornytske': { people: 5_000, names: ['Яворницьке'] },
  'UA:Lymanivka': { people: 5_000, names: ['Лиманівка'] },
  'UA:Zarichne': { people: 5_000, names: ['Зарічне'] },
  'UA:Bessarabske': { people: 5_000, names: ['Бессарабське'] },
  'UA:Kamyanets': { people: 5_000, names: ['Кам’янець'] },
  'UA:Buialyk': { people: 4_000, names: ['Буялик'] },
  'UA:Katlabuh': { people: 4_000, names: ['Катлабуг'] },
  'UA:Prychornomorske': { people: 3_000, names: ['Причорноморське'] },
  'UA:Soborne': { people: 3_000, names: ['Соборне'] },
  'UA:Tavryiske': { people: 3_000, names: ['Таврійське'] },
  'UA:Orilske': { people: 2_000, names: ['Орільське'] },
  // The same of 2016, also of Crimea.
  'UA:Kadiyivka': { people: 50_000, names: ['Кадіївка'] },
  'UA:Chystyakove': { people: 50_000, names: ['Чистякове'] },
  'UA:Voznesenivka': { people: 10_000, names: ['Вознесенівка'] },
  'UA:Svitlodarsk': { people: 10_000, names: ['Світлодарськ'] },
  "UA:Kal'mius'ke": { people: 10_000, names: ['Кальміуське'] },
  "UA:Bilovods'k": { people: 5_000, names: ['Біловодськ'] },
  'UA:Bokovo-Khrustalne': { people: 0, names: ['Боково-Хрустальне'] },
  'UA:Krynychna': { people: 4_000, names: ['Кринична'] },
  'UA:Kypuche': { people: 5_000, names: ['Кипуче'] },
  'UA:Petrovo-Krasnosillya': { people: 10_000, names: ['Петрово-Красносілля'] },
  'UA:Kurman': { people: 10_000, names: ['Курман'] },
  'UA:Biyuk-Onlar': { people: 5_000, names: ['Біюк-Онлар'] },
  'UA:Yedy-Kuyu': { people: 5_000, names: ['Їди-Кую'] },
  'UA:Islyam-Terek': { people: 5_000, names: ['Іслям-Терек'] },
  'UA:Kurakhove': { people: 10_000, names: ['Курахове'] },
  // Taiwan renamed the county in 2010.
  'TW:New Taipei City': { people: 0, names: ['新北'] },
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
