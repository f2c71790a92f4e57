/**
 * Eighty texts that set `window.__x` when they execute. Each fits the shortest field it is typed into, 50 characters, or still works when
 * cut there.
 */
export const hostileTexts: readonly string[] = [
  '<script>__x=1</script>',
  '<SCRIPT>__x=1</SCRIPT>',
  '<script >__x=1</script >',
  '<script/x>__x=1</script>',
  '<scr<script>ipt>__x=1</script>',
  '</script><script>__x=1</script>',
  '</textarea><script>__x=1</script>',
  '</title><script>__x=1</script>',
  '</style><script>__x=1</script>',
  '--><script>__x=1</script>',
  ']]><script>__x=1</script>',
  '"><script>__x=1</script>',
  "'><script>__x=1</script>",
  '<script src=data:,__x=1></script>',
  '<script type=module>__x=1</script>',
  '<script>/*<!--*/__x=1//--></script>',
  '<img src=x onerror=__x=1>',
  '<IMG SRC=x OnErRoR=__x=1>',
  '<img/src=x/onerror=__x=1>',
  '<img src=x onerror=`__x=1`>',
  '<img src=x:x onerror=&#95;_x=1>',
  '"><img src=x onerror=__x=1>',
  "'><img src=x onerror=__x=1>",
  '"onmouseover=__x=1 x="',
  "'autofocus onfocus=__x=1 x='",
  '<body onload=__x=1>',
  '<input autofocus onfocus=__x=1>',
  '<select autofocus onfocus=__x=1>',
  '<textarea autofocus onfocus=__x=1>',
  '<video src=x onerror=__x=1>',
  '<audio src=x onerror=__x=1>',
  '<video><source onerror=__x=1></video>',
  '<details open ontoggle=__x=1>',
  '<marquee onstart=__x=1>',
  '<p style=animation:x onanimationend=__x=1>',
  '<object data=x onerror=__x=1>',
  '<link rel=stylesheet href=x onerror=__x=1>',
  '<div contenteditable autofocus onfocus=__x=1>',
  '<img srcset=x onerror=__x=1>',
  '<input type=image src=x onerror=__x=1>',
  '<svg onload=__x=1>',
  '<svg/onload=__x=1>',
  '<svg><script>__x=1</script></svg>',
  '<svg><a xlink:href=javascript:__x=1>x',
  '<svg><animate onbegin=__x=1>',
  '<svg><set attributeName=x onbegin=__x=1>',
  '<math><mtext><img src=x onerror=__x=1>',
  '<math href=javascript:__x=1>x</math>',
  '<svg><use href=data:,x onload=__x=1>',
  '<svg><style><img src=x onerror=__x=1>',
  '<iframe src=javascript:parent.__x=1>',
  "<iframe srcdoc='<script>parent.__x=1</script>'>",
  '<iframe onload=__x=1>',
  '<embed src=javascript:__x=1>',
  '<object data=javascript:__x=1>',
  '<base href=javascript:__x=1//>',
  '<meta http-equiv=refresh content=0;javascript:__x=1>',
  '<form action=javascript:__x=1><button>x',
  '<button formaction=javascript:__x=1>x',
  '<a href=javascript:__x=1>x</a>',
  "<a href='jAvAsCrIpT:__x=1'>x</a>",
  "<a href='java&#9;script:__x=1'>x</a>",
  '<a href=data:text/html,<script>__x=1</script>>',
  'javascript:__x=1',
  '[x](javascript:__x=1)',
  '![x](x"onerror="__x=1)',
  '[x](data:text/html,<script>__x=1</script>)',
  '<javascript:__x=1>',
  '${__x=1}',
  "{{constructor.constructor('__x=1')()}}",
  '<%= __x=1 %>',
  '#{__x=1}',
  "<style>@import'javascript:__x=1'</style>",
  '<template><img src=x onerror=__x=1></template>',
  "<noscript><p title='</noscript><img src=x onerror=__x=1>'>",
  '<!--><img src=x onerror=__x=1>',
  '&lt;img src=x onerror=__x=1&gt;',
  '\\u003cimg src=x onerror=__x=1\\u003e',
  '%3Cimg src=x onerror=__x=1%3E',
  '＜script＞__x=1＜/script＞',
];

/** The sentinel: whether any of them has executed in this page. */
export const hasRun = (): boolean => '__x' in window;

/** Joins them into the fewest texts of at most `most` characters. */
export function joined(texts: readonly string[], most: number): string[] {
  const parts: string[] = [];
  for (const text of texts) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + text.length < most) parts[parts.length - 1] = `${last}\n${text}`;
    else parts.push(text);
  }
  return parts;
}
