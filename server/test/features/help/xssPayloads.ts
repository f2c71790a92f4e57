const texts = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe src=javascript:alert(1)>',
  '<body onload=alert(1)>',
  '<a href=javascript:alert(1)>x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](vbscript:msgbox(1))',
  '![x](https://evil.example/x.png)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<math><mtext></mtext><script>alert(1)</script></math>',
  '<input autofocus onfocus=alert(1)>',
  '<object data=javascript:alert(1)>',
  "<style>@import 'https://evil.example/x.css'</style>",
];
const wraps: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Text before ${text} and after`,
  (text) => `\`${text}\``,
  (text) => `> ${text}`,
];

/** Eighty texts that try to run as code, load an external resource or link to a script. */
export const xssPayloads: readonly string[] = wraps.flatMap((wrap) => texts.map(wrap));
