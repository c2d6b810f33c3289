import { fold } from '../../src/places/fold.js';
import { foldedNames, Rank } from './city-names.js';
import type { Regions } from './regions.js';
import { sourcePlace, type SourcePlace } from './source-places.js';
import extract from './chinese-cities/chinese-cities.json' with { type: 'json' };

/** GeoNames' names of the seats of prefectures, and of cities whose name is not their pinyin. */
const SEATS: Record<string, string> = {
  兴安: 'Ulanhot',
  锡林郭勒: 'Xilinhot',
  阿拉善: 'Bayan Hot',
  呼伦贝尔: 'Hailar',
  乌兰察布: 'Jining',
  巴彦淖尔: 'Linhe',
  鄂尔多斯: 'Ordos',
  延边: 'Yanji',
  大兴安岭: 'Jiagedaqi',
  湘西: 'Jishou',
  阿坝: 'Barkam',
  甘孜: 'Kangding',
  凉山: 'Xichang',
  黔西南: 'Xingyi',
  黔东南: 'Kaili',
  黔南: 'Duyun',
  红河: 'Mengzi',
  西双版纳: 'Jinghong',
  德宏: 'Mangshi',
  怒江: 'Liuku',
  迪庆: 'Shangri-La',
  日喀则: 'Xigazê',
  昌都: 'Qamdo',
  林芝: 'Nyingchi',
  山南: 'Nêdong',
  那曲: 'Nagqu',
  阿里: 'Shiquanhe',
  甘南: 'Hezuo',
  海北: 'Xihai',
  黄南: 'Rongwo',
  果洛: 'Dawu',
  玉树: 'Gyêgu',
  海西: 'Delingha',
  吐鲁番: 'Turpan',
  哈密: 'Hami',
  博尔塔拉: 'Bole',
  巴音郭楞: 'Korla',
  阿克苏: 'Aksu',
  克孜勒苏: 'Artux',
  喀什: 'Kashgar',
  和田: 'Hotan',
  伊犁: 'Yining',
  塔城: 'Tacheng',
  阿勒泰: 'Altay',
  克拉玛依: 'Karamay',
  乌鲁木齐: 'Ürümqi',
  拉萨: 'Lhasa',
};
const CHINA = 'CN';

/**
 * Adds the Chinese names of China's cities and seats of prefectures, of which GeoNames has three quarters. The city is
 * the largest place of its province with this pinyin.
 */
export function addChineseNames(sources: SourcePlace[], regions: Regions): SourcePlace[] {
  const wanted = new Map<string, string[]>();
  for (const { province, cities } of extract.provinces) {
    const [number] = regions.named(CHINA, fold(province));
    if (number === undefined) throw new Error(`no region is called ${province}`);
    for (const [name = '', pinyin = ''] of cities) {
      const key = `${number}:${fold(SEATS[name] ?? pinyin)}`;
      wanted.set(key, [...(wanted.get(key) ?? []), name]);
    }
  }
  const best = new Map<string, SourcePlace>();
  for (const place of sources) {
    if (place.country !== CHINA || place.section) continue;
    const number = regions.first(CHINA, place.division);
    for (const [folded, rank] of foldedNames(place)) {
      const key = `${number}:${folded}`;
      if (rank > Rank.alternate || !wanted.has(key)) continue;
      const known = best.get(key);
      if (!known || place.population > known.population) best.set(key, place);
    }
  }
  const named = new Map<SourcePlace, string[]>();
  for (const [key, place] of best) {
    named.set(place, [...(named.get(place) ?? []), ...(wanted.get(key) ?? [])]);
  }
  return sources.map((place) => {
    const names = named.get(place);
    return names ? sourcePlace({ ...place, formerNames: [...place.formerNames, ...names] }) : place;
  });
}

/** Returns the names that no place has. */
export function unplacedChineseNames(places: SourcePlace[]): string[] {
  const known = new Set(
    places.flatMap(({ country, formerNames }) => (country === CHINA ? formerNames : [])),
  );
  return extract.provinces.flatMap(({ cities }) =>
    cities.flatMap(([name = '']) => (known.has(name) ? [] : [name])),
  );
}
