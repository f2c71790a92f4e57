import ts from 'typescript';

/** A text a user may read: its line from 1, and its words with one space between them and `{}` for each value. */
export interface ScreenText {
  line: number;
  text: string;
}

/** Attributes and calls whose strings are for machines. */
const machineAttributes = new Set([
  'className',
  'd',
  'viewBox',
  'href',
  'src',
  'style',
  'id',
  'transform',
  'points',
  'sizes',
]);
const machineCalls = /^(?:.*\.)?(?:querySelector|querySelectorAll|matchMedia|closest|Error|TypeError|RangeError)$/;

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The text of a template, with `{}` for each value. */
export const templateText = (node: ts.TemplateExpression): string =>
  node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');

/** Whether a string is a module's name, a type, or an argument that only machines read. */
function isForMachines(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return machineCalls.test(parent.expression.getText());
  for (let up = parent; !ts.isStatement(up) && !ts.isSourceFile(up); up = up.parent) {
    if (ts.isJsxAttribute(up)) return machineAttributes.has(up.name.getText());
  }
  return false;
}

/** The children of an element as one sentence; another element or a value in it counts as one word. */
function childrenText(children: readonly ts.JsxChild[]): string {
  return children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text;
      if (!ts.isJsxExpression(child)) return ' {} ';
      const { expression } = child;
      if (expression === undefined) return '';
      return ts.isStringLiteralLike(expression) ? expression.text : '{}';
    })
    .join('');
}

/** Strings with a space and the text between tags of a file of the page. */
export function screenTextsOf(path: string, code: string): ScreenText[] {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, kind);
  const matches: ScreenText[] = [];
  const add = (node: ts.Node, raw: string): void => {
    const text = flat(raw);
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (/[a-z]{2}/i.test(text.replaceAll('{}', ''))) matches.push({ line, text });
  };
  const visit = (node: ts.Node): void => {
    if (
      (ts.isJsxElement(node) || ts.isJsxFragment(node)) &&
      node.children.some((c) => ts.isJsxText(c) && flat(c.text) !== '')
    )
      add(node, childrenText(node.children));
    if (ts.isStringLiteralLike(node) && node.text.includes(' ') && !isForMachines(node)) add(node, node.text);
    if (ts.isTemplateExpression(node) && templateText(node).includes(' ') && !isForMachines(node))
      add(node, templateText(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return matches;
}

/** Every text that a file may show, single words and names of code too: strings, templates, text between tags, alone and with its neighbours. */
export function shownTextsOf(path: string, code: string): string[] {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, kind);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) texts.push(templateText(node));
    else if (ts.isJsxText(node)) texts.push(flat(node.text));
    else if (ts.isJsxElement(node) || ts.isJsxFragment(node)) texts.push(flat(childrenText(node.children)));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...new Set(texts)].filter((text) => text !== '' && text !== '{}');
}
