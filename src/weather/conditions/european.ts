/** The texts of the conditions in languages with Latin letters, in the order of `CONDITIONS`, separated by `|` or a line break. */
export const EUROPEAN = {
  de: `
    Klarer Himmel | Überwiegend klar | Teilweise bewölkt | Bedeckt
    Nebel | Nebel mit Reifansatz
    Leichter Sprühregen | Mäßiger Sprühregen | Starker Sprühregen
    Leichter gefrierender Sprühregen | Starker gefrierender Sprühregen
    Leichter Regen | Mäßiger Regen | Starker Regen
    Leichter gefrierender Regen | Starker gefrierender Regen
    Leichter Schneefall | Mäßiger Schneefall | Starker Schneefall | Schneegriesel
    Leichte Regenschauer | Mäßige Regenschauer | Heftige Regenschauer
    Leichte Schneeschauer | Starke Schneeschauer
    Gewitter | Gewitter mit leichtem Hagel | Gewitter mit starkem Hagel
    Unbekannt
  `,
  es: `
    Cielo despejado | Mayormente despejado | Parcialmente nublado | Cubierto
    Niebla | Niebla con cencellada
    Llovizna débil | Llovizna moderada | Llovizna fuerte
    Llovizna engelante débil | Llovizna engelante fuerte
    Lluvia débil | Lluvia moderada | Lluvia fuerte
    Lluvia engelante débil | Lluvia engelante fuerte
    Nevada débil | Nevada moderada | Nevada fuerte | Cinarra
    Chubascos débiles | Chubascos moderados | Chubascos violentos
    Chubascos de nieve débiles | Chubascos de nieve fuertes
    Tormenta | Tormenta con granizo débil | Tormenta con granizo fuerte
    Desconocido
  `,
  fr: `
    Ciel dégagé | Plutôt dégagé | Partiellement nuageux | Couvert
    Brouillard | Brouillard givrant
    Bruine faible | Bruine modérée | Bruine forte
    Bruine verglaçante faible | Bruine verglaçante forte
    Pluie faible | Pluie modérée | Pluie forte
    Pluie verglaçante faible | Pluie verglaçante forte
    Neige faible | Neige modérée | Neige forte | Neige en grains
    Averses faibles | Averses modérées | Averses violentes
    Averses de neige faibles | Averses de neige fortes
    Orage | Orage avec grêle faible | Orage avec grêle forte
    Inconnu
  `,
  it: `
    Cielo sereno | Prevalentemente sereno | Parzialmente nuvoloso | Coperto
    Nebbia | Nebbia con galaverna
    Pioviggine debole | Pioviggine moderata | Pioviggine intensa
    Pioviggine congelantesi debole | Pioviggine congelantesi intensa
    Pioggia debole | Pioggia moderata | Pioggia forte
    Pioggia congelantesi debole | Pioggia congelantesi forte
    Neve debole | Neve moderata | Neve forte | Neve granulosa
    Rovesci deboli | Rovesci moderati | Rovesci violenti
    Rovesci di neve deboli | Rovesci di neve forti
    Temporale | Temporale con grandine debole | Temporale con grandine forte
    Sconosciuto
  `,
  nl: `
    Onbewolkt | Overwegend helder | Half bewolkt | Geheel bewolkt
    Mist | Aanvriezende mist
    Lichte motregen | Matige motregen | Dichte motregen
    Lichte aanvriezende motregen | Dichte aanvriezende motregen
    Lichte regen | Matige regen | Zware regen
    Lichte ijzel | Zware ijzel
    Lichte sneeuwval | Matige sneeuwval | Zware sneeuwval | Motsneeuw
    Lichte regenbuien | Matige regenbuien | Zeer zware regenbuien
    Lichte sneeuwbuien | Zware sneeuwbuien
    Onweer | Onweer met lichte hagel | Onweer met zware hagel
    Onbekend
  `,
  pl: `
    Bezchmurnie | Przeważnie bezchmurnie | Częściowe zachmurzenie | Całkowite zachmurzenie
    Mgła | Mgła osadzająca szadź
    Słaba mżawka | Umiarkowana mżawka | Silna mżawka
    Słaba marznąca mżawka | Silna marznąca mżawka
    Słaby deszcz | Umiarkowany deszcz | Silny deszcz
    Słaby marznący deszcz | Silny marznący deszcz
    Słabe opady śniegu | Umiarkowane opady śniegu | Silne opady śniegu | Śnieg ziarnisty
    Słaby przelotny deszcz | Umiarkowany przelotny deszcz | Gwałtowny przelotny deszcz
    Słaby przelotny śnieg | Silny przelotny śnieg
    Burza | Burza ze słabym gradem | Burza z silnym gradem
    Nieznane
  `,
  pt: `
    Céu limpo | Predominantemente limpo | Parcialmente nublado | Encoberto
    Nevoeiro | Nevoeiro com formação de sincelo
    Chuvisco fraco | Chuvisco moderado | Chuvisco intenso
    Chuvisco congelante fraco | Chuvisco congelante intenso
    Chuva fraca | Chuva moderada | Chuva forte
    Chuva congelante fraca | Chuva congelante forte
    Neve fraca | Neve moderada | Neve forte | Grãos de neve
    Aguaceiros fracos | Aguaceiros moderados | Aguaceiros violentos
    Aguaceiros de neve fracos | Aguaceiros de neve fortes
    Trovoada | Trovoada com granizo fraco | Trovoada com granizo forte
    Desconhecido
  `,
  sv: `
    Klart | Mestadels klart | Halvklart | Mulet
    Dimma | Underkyld dimma
    Lätt duggregn | Måttligt duggregn | Tätt duggregn
    Lätt underkylt duggregn | Tätt underkylt duggregn
    Lätt regn | Måttligt regn | Kraftigt regn
    Lätt underkylt regn | Kraftigt underkylt regn
    Lätt snöfall | Måttligt snöfall | Kraftigt snöfall | Kornsnö
    Lätta regnskurar | Måttliga regnskurar | Mycket kraftiga regnskurar
    Lätta snöbyar | Kraftiga snöbyar
    Åska | Åska med lätt hagel | Åska med kraftigt hagel
    Okänt
  `,
  nb: `
    Klarvær | Lettskyet | Delvis skyet | Overskyet
    Tåke | Rimtåke
    Lett yr | Moderat yr | Tett yr
    Lett underkjølt yr | Tett underkjølt yr
    Lett regn | Moderat regn | Kraftig regn
    Lett underkjølt regn | Kraftig underkjølt regn
    Lett snø | Moderat snø | Kraftig snø | Kornsnø
    Lette regnbyger | Moderate regnbyger | Svært kraftige regnbyger
    Lette snøbyger | Kraftige snøbyger
    Torden | Torden med lett hagl | Torden med kraftig hagl
    Ukjent
  `,
};
