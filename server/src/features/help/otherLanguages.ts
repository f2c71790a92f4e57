/** Questions in other languages. The help is in English: users get the nearest articles by the words known here. */

/** Letters of scripts that English does not use. */
const OTHER_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Greek}]/u;

/** Frequent words that are not English: `come`, `sin`, `con` and the time zone `est` are not among them. */
const functionWords = new Set(
  (
    'wie ich kann nicht warum wieso wo wann welche welcher welches ist sind mein meine meinen meiner meinem der das ein eine einen einem für und ' +
    'oder auf mit von zum zur wird werden habe haben muss gibt bekomme kostet viel viele mich mir sich wenn nach über ohne keine kein ' +
    'comment je peux pourquoi où quel quelle mon ma mes les des une pour avec dans sur combien puis que ' +
    'como cómo puedo por qué cuándo dónde cuál cuánto es mi mis los las una para del cuesta ' +
    'perché quando posso della che sono quanto costa il quale minha meu são não você onde'
  ).split(' '),
);
/** A single one of these words indicates another language. */
const plainWords = new Set(
  (
    'passwort konto vergessen hebel rechnung rechnungen gebühren kaufen zahlung ändern löschen einstellungen guthaben erstattung rückerstattung ' +
    'anmelden schlüssel verlust gewinn dunkler contraseña cuenta compte remboursement'
  ).split(' '),
);
const UMLAUT = /[äöüßéèêñçãõàùôîû¿¡]/;

/** Whether a text is probably not English. */
export function isOtherLanguage(text: string): boolean {
  if (OTHER_SCRIPT.test(text)) return true;
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const foreign = words.filter((word) => functionWords.has(word)).length;
  if (foreign >= 2 || words.some((word) => plainWords.has(word))) return true;
  return UMLAUT.test(text.toLowerCase()) && (foreign >= 1 || words.length <= 3);
}

/** Word starts in German, and Chinese words, for the topics of the articles. */
const german: readonly [RegExp, string][] = (
  [
    ['passw[oö]rt|kennwort', 'password'],
    ['zwei-?faktor\\w*|2fa|authentifizierung\\w*', 'twofactor'],
    ['anmeld\\w*|einlogg\\w*|einloggen', 'signin'],
    ['konto\\w*', 'account'],
    ['lösch\\w*|loesch\\w*', 'delete account'],
    ['erstatt\\w*|rückerstatt\\w*|rückzahl\\w*|zurück', 'refund credit back'],
    ['guthaben\\w*|kredite?\\b|credits?', 'credits'],
    ['kauf\\w*|auflad\\w*', 'buy credits'],
    ['zahl\\w*|bezahl\\w*', 'payment'],
    ['rechnung\\w*|quittung\\w*|beleg\\w*', 'receipt'],
    ['gebühr\\w*|gebuehr\\w*', 'fees'],
    ['kost\\w*|preis\\w*', 'cost credits'],
    ['hebel\\w*', 'leverage'],
    ['stop-?loss|verlustbegrenz\\w*', 'stop loss'],
    ['gewinn(?:mitnahme|ziel)\\w*|take-?profit', 'take profit target'],
    ['dunkel\\w*|dunkle\\w*|hell\\w*|design\\w*|farb\\w*', 'theme appearance'],
    ['schlüssel\\w*|api-?key\\w*', 'api keys'],
    ['grenz\\w*|limit\\w*|tarif\\w*|abo\\w*', 'plans limits'],
    ['signal\\w*', 'signal'],
    ['kerze\\w*', 'candles'],
    ['backtest\\w*|rücktest\\w*', 'run a backtest'],
    ['optimier\\w*', 'optimise'],
    ['liquidi\\w*', 'liquidation'],
    ['position\\w*', 'position'],
    ['auszahl\\w*|abheb\\w*', 'withdraw funds'],
    ['nachricht\\w*|benachrichtig\\w*', 'messages telegram'],
    ['neuigkeit\\w*|news', 'news'],
    ['daten\\w*|export\\w*', 'export data'],
    ['zeitzone\\w*', 'time zone'],
    ['bild\\w*|chart\\w*', 'chart picture'],
    ['webhook\\w*', 'webhook'],
    ['telegram', 'telegram'],
    ['arbitrage\\w*', 'arbitrage'],
    ['überanpass\\w*|overfitting', 'overfitting'],
    ['status\\w*|ausfall\\w*|störung\\w*', 'status page'],
    ['trailing\\w*|nachzieh\\w*', 'trailing stop'],
    ['telefon|handy', 'lost phone two factor'],
    ['börse\\w*|binance', 'exchange orders'],
    ['fang\\w*|anfang\\w*|start\\w*|beginn\\w*', 'get started'],
    ['profil\\w*', 'profile'],
  ] as const
).map(([pattern, english]) => [new RegExp(`(?<!\\p{L})(?:${pattern})`, 'giu'), english]);

const chinese: readonly [RegExp, string][] = (
  [
    ['密码|密碼', 'password'],
    ['双重|雙重|两步|兩步|二次验证|二步|双因素|验证器|驗證', 'twofactor'],
    ['登录|登陆|登入', 'signin'],
    ['账户|账号|帐户|帐号|帳戶|帳號', 'account'],
    ['删除|注销|刪除', 'delete account'],
    ['退款|退还|退回|退費', 'refund credit back'],
    ['积分|点数|額度|信用', 'credits'],
    ['购买|充值|購買|儲值', 'buy credits'],
    ['支付|付款', 'payment'],
    ['发票|收据|發票|收據', 'receipt'],
    ['手续费|费用|費用|手續費', 'fees'],
    ['多少钱|价格|價格|收费', 'cost credits'],
    ['杠杆|槓桿', 'leverage'],
    ['止损|止損', 'stop loss'],
    ['止盈', 'take profit target'],
    ['深色|暗黑|夜间|主题|外观|主題|外觀', 'theme appearance'],
    ['密钥|密鑰|api', 'api keys'],
    ['限制|限额|限速|频率|套餐|订阅|限額', 'plans limits'],
    ['信号|信號', 'signal'],
    ['回测|回測', 'run a backtest'],
    ['优化|優化', 'optimise'],
    ['强平|爆仓|清算|強平|爆倉', 'liquidation'],
    ['仓位|持仓|開倉|平仓|倉位', 'position'],
    ['提现|取款|提款|提現', 'withdraw funds'],
    ['通知|消息', 'messages telegram'],
    ['新闻|新聞', 'news'],
    ['导出|数据|導出|數據', 'export data'],
    ['时区|時區', 'time zone'],
    ['图表|图片|截图|圖表|圖片', 'chart picture'],
    ['套利', 'arbitrage'],
    ['过拟合|過擬合', 'overfitting'],
    ['状态|宕机|故障|狀態', 'status page'],
    ['移动止损|追踪|跟踪', 'trailing stop'],
    ['手机|手機', 'lost phone two factor'],
    ['交易所|币安|下单|真实', 'exchange orders'],
    ['开始|入门|開始', 'get started'],
    ['头像|个人资料|頭像', 'profile picture'],
    ['滑点|滑點', 'slippage'],
    ['资金费|資金費', 'funding'],
    ['指标|指標', 'indicators'],
  ] as const
).map(([pattern, english]) => [new RegExp(pattern, 'giu'), english]);

/** Topics of a question in another language, in the words of the articles; Latin words such as `API` and `RSI` stay. */
export function englishWordsOf(text: string): string {
  const known = [...german, ...chinese].flatMap(([pattern, english]) =>
    text.match(pattern) === null ? [] : [english],
  );
  const latin = (text.match(/[A-Za-z][A-Za-z0-9]{1,}/g) ?? []).filter((word) => !functionWords.has(word.toLowerCase()));
  return [...known, ...latin].join(' ');
}
