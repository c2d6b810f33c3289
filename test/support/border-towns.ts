/**
 * Towns near a border of time zones, mostly of countries. The map of zones, or Open-Meteo, has
 * another zone for many of them.
 */
export const BORDER_TOWNS: [city: string, country: string, timeZone: string][] = [
  ['Yuma', 'USA', 'America/Phoenix'],
  ['Dandong', 'China', 'Asia/Shanghai'],
  ['Jayapura', 'Indonesia', 'Asia/Jayapura'],
  ['Ayvalık', 'Turkey', 'Europe/Istanbul'],
  ['Nepalgunj', 'Nepal', 'Asia/Kathmandu'],
  ['Tornio', 'Finland', 'Europe/Helsinki'],
  ['Haparanda', 'Sweden', 'Europe/Stockholm'],
  ['Ciudad Juárez', 'Mexico', 'America/Ciudad_Juarez'],
  ['El Paso', 'USA', 'America/Denver'],
  ['Tijuana', 'Mexico', 'America/Tijuana'],
  ['Badajoz', 'Spain', 'Europe/Madrid'],
  ['Elvas', 'Portugal', 'Europe/Lisbon'],
  ['Leticia', 'Colombia', 'America/Bogota'],
  ['Foz do Iguaçu', 'Brazil', 'America/Sao_Paulo'],
  ['Ciudad del Este', 'Paraguay', 'America/Asuncion'],
  ['Narva', 'Estonia', 'Europe/Tallinn'],
  ['Ivangorod', 'Russia', 'Europe/Moscow'],
  ['Blagoveshchensk', 'Russia', 'Asia/Yakutsk'],
  ['Heihe', 'China', 'Asia/Shanghai'],
  ['Broken Hill', 'Australia', 'Australia/Broken_Hill'],
  ['Lloydminster', 'Canada', 'America/Edmonton'],
  ['Lahore', 'Pakistan', 'Asia/Karachi'],
  ['Amritsar', 'India', 'Asia/Kolkata'],
];
