/** German, French and Spanish headlines word by word into the English words that headlines use. */

/** Two of these, or one beside a letter of theirs, make a headline one of another language. */
const functionWords = new Set(
  (
    'der die das den dem des ein eine einen einem und mit von vom zum zur für auf um nach wegen bei wird werden ist sind hat haben erstmals über unter ' +
    'seit durch gegen als nicht mehr neue neuer neues ' +
    'le la les un une du de et à au aux pour sur dans en par est sont ses son sa avec après sous plus première fois ' +
    'el los las una y del al por para con su sus se en más tras sobre como primera vez millones'
  ).split(' '),
);
/** Words of one of the languages that are enough alone. */
const significant =
  /\b(?:millionen|milliarden|dollar-marke|prozent|fällt|steigt|stürzt|klettert|kauft|verkauft|senkt|startet|hacker erbeuten|rechtsstreit|piratage|chute|franchit|dépasse|relève|condamné|supera|sube|cae|lanza|compra)\b/iu;
/** No word of English. */
const certain = /\b(?:ist|wird|und|für|der|unter|nicht|auf|vom|les|dans|aux|avec|del|una)\b/iu;
const OTHER_LETTER = /[äöüßéèêàçñáíóúûôî]/iu;

/** Meaning of a word; an empty one says nothing about an event. */
const meanings = new Map(
  Object.entries({
    falls:
      'fällt fallen sinkt rutscht stürzt bricht verliert gibt sackt chute chutent recule tombe plonge dégringole cae caen baja desploma desploman cede',
    rises:
      'steigt steigen klettert springt legt zieht gewinnt erholt monte grimpe bondit progresse rebondit sube suben salta gana repunta avanza',
    tops: 'knackt durchbricht überschreitet übersteigt überspringt erreicht dépasse franchit atteint supera superan alcanza rompe',
    below: 'unter sous debajo',
    above: 'über oberhalb dessus encima',
    inflows: 'zuflüsse zufluss mittelzuflüsse entrées entrée entradas',
    outflows: 'abflüsse abfluss mittelabflüsse sorties sortie salidas',
    million: 'millionen mio million millions millones',
    billion: 'milliarden milliarde mrd milliards milliard',
    thousand: 'tausend mille mil',
    percent: 'prozent pourcent porcentuales',
    points: 'prozentpunkte prozentpunkt',
    hack: 'gehackt hackerangriff angriff erbeuten erbeutet stehlen stiehlt gestohlen diebstahl piratage piraté piratée vol volé volés dérobé dérobés hackeo hackeado robo roban ataque',
    hackers: 'angreifer pirates pirata piratas',
    loses: 'perd pierde',
    buys: 'kauft kaufen erwirbt übernimmt übernahme achète rachète acquiert acquisition compra compran adquiere adquisición',
    sells: 'verkauft verkaufen vend cède vende venden',
    cuts: 'senkt senken abaisse réduit recorta reduce',
    raises: 'erhöht hebt anhebt relève augmente eleva aumenta',
    rates: 'leitzins leitzinsen zins zinsen taux tipos tasas tasa',
    central: 'zentralbank notenbank nationalbank',
    bank: 'banque banco bank',
    launches: 'startet starten lanciert bringt live lance lancent lanza lanzan',
    lists: 'listet notiert liste cote lista listará listar',
    approves: 'genehmigt billigt beschließt verabschiedet approuve adopte aprueba aprueban',
    rejects: 'lehnt ablehnt weist rejette refuse rechaza',
    sentenced: 'verurteilt haft gefängnis condamné condamnée prison condenado condenada prisión cárcel',
    signs: 'unterzeichnet unterschreibt signe firma promulgue promulga',
    law: 'gesetz gesetzes loi ley',
    sues: 'klage verklagt klagt plainte poursuit demanda demandan',
    ends: 'beendet endet schließt geschlossen ferme fermé termine cierra cerrado',
    halts: 'stoppt setzt pausiert suspend suspendue suspende suspenden detiene',
    fines: 'strafe geldstrafe bußgeld amende multa',
    arrested: 'festgenommen verhaftet arrêté arrêtée interpellé detenido arrestado',
    freed: 'befreit freigelassen libéré libérée liberado',
    kidnapping: 'entführung entführt enlèvement enlevé secuestro',
    founder: 'gründer mitgründer fondateur cofondateur fundador cofundador',
    exchange: 'börse kryptobörse bourse plateforme plataforma',
    record: 'rekord rekordhoch allzeithoch record sommet récord máximo',
    services: 'dienste services servicios',
    stocks: 'aktien aktie actions action acciones',
    tokenized: 'tokenisierte tokenisierten tokenisées tokenizadas',
    liquidations: 'liquidationen liquidierungen liquidations liquidaciones',
    market: 'markt kryptomarkt marché mercado',
    regulator: 'aufsicht finanzaufsicht régulateur regulador',
    purchases: 'achats compras',
    crypto: 'krypto kryptowährung kryptowährungen cryptomonnaie cryptomonnaies criptomoneda criptomonedas',
    first: 'erste erstmals première primera',
    china: 'chine',
    japan: 'japon japón',
    us: 'usa états-unis etats-unis',
    germany: 'deutschland allemagne alemania',
    france: 'frankreich francia',
    uk: 'großbritannien royaume-uni',
    switzerland: 'schweiz suisse suiza',
    czech: 'tschechische tschechien tchèque checa',
    brazil: 'brasilien brésil brasil',
    europe: 'europäische europa européenne',
    '': 'marke barre cap années ans jahren jahre años tag tage jour jours día días verzeichnen verzeichnet enregistre enregistrent registra ausgelöscht',
  }).flatMap(([english, words]) => words.split(' ').map((word): [string, string] => [word, english])),
);

/** `100.000` and `2,9` as English writes them. */
const withEnglishFigures = (text: string): string =>
  text
    .replace(/\bmil millones\b/giu, 'milliards')
    .replace(/(?<=\d)(?:[. \u00A0\u202F]\d{3})+(?!\d)/gu, (groups) => groups.replace(/[^\d]/gu, ''))
    .replace(/(?<=\d),(?=\d)/gu, '.')
    .replace(/(?<=\d)\s%/gu, '%');

/** The banks that a language calls by their English name's words in another order. */
const banks: readonly (readonly [RegExp, string])[] = [
  [/\bbanque du japon\b|\bbanco de japón\b|\bjapanische notenbank\b/giu, 'BOJ'],
  [/\bbanque d'angleterre\b|\bbanco de inglaterra\b/giu, 'BOE'],
  [/\bbanque centrale européenne\b|\bbanco central europeo\b|\bezb\b|\bbce\b/giu, 'ECB'],
  [/\bréserve fédérale\b|\breserva federal\b/giu, 'Fed'],
];

function isOtherLanguage(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}'-]+/gu) ?? [];
  const count = words.filter((word) => functionWords.has(word)).length;
  return count >= 2 || certain.test(text) || significant.test(text) || (OTHER_LETTER.test(text) && count > 0);
}

/** The headline in English words when it is in another language; undefined when it is not. Words that are not known stay. */
export function translateHeadline(title: string): string | undefined {
  if (!isOtherLanguage(title)) return undefined;
  const named = banks.reduce((text, [pattern, name]) => text.replace(pattern, name), title);
  return withEnglishFigures(named)
    .replace(/(?<=\p{L})-(?=\p{L})/gu, ' ')
    .replace(/[\p{L}]+(?:'[\p{L}]+)?/gu, (written) => {
      const word = written.toLowerCase().replace(/^[dlsn]'/u, '');
      const meaning = meanings.get(word);
      if (meaning !== undefined) return meaning;
      return functionWords.has(word) ? '' : written.replace(/^[dlsn]'/iu, '');
    })
    .replace(/\s+/gu, ' ');
}
