import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter, lintKeymap } from '@codemirror/lint';
import { Annotation, EditorState, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  hoverTooltip,
  keymap,
  placeholder,
  tooltips,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { createProblems, type RuleProblem } from '@sextant/workers/src/rules/problems.ts';
import { readTokens } from '@sextant/workers/src/rules/tokens.ts';
import { useEffect, useRef } from 'react';
import { checkRules, fixesOf, spanOf } from '../ownRules.ts';
import { problemText, problemWords } from '../problemWords.ts';
import { suggestAt, type Suggestion } from './complete.ts';
import { editorTheme } from './theme.ts';
import { docOf, kindOfWord, type WordDoc } from './wordDocs.ts';

export interface EditorHandle {
  /** Selects the characters of a problem and moves the focus there. */
  show: (problem: RuleProblem) => void;
}

interface Props {
  text: string;
  interval: IntervalName;
  /** Gets the handle of the editor, null once it is gone. */
  onReady: (handle: EditorHandle | null) => void;
  /** Explains the keys. */
  help: string;
  onChange: (text: string) => void;
}

/** Marks a change that came through the properties: it is not sent back. */
const fromOutside = Annotation.define<true>();
const withPlainLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/**
 * Editor of a rule text. In a shadow root CodeMirror uses constructed style sheets, which the content security policy allows; it forbids
 * `style` elements. Changes are sent once a frame.
 */
export function RuleEditor({ text, interval, help, onReady, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ text, interval, help, onChange });
  /** The text last sent or received. Another text in the properties is a change from outside. */
  const known = useRef(text);
  useEffect(() => {
    latest.current = { text, interval, help, onChange };
  });
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open', delegatesFocus: true });
    let frame = 0;
    const send = () => {
      cancelAnimationFrame(frame);
      frame = 0;
      if (view.current === null) return;
      const next = view.current.state.doc.toString();
      if (next === withPlainLines(known.current)) return;
      known.current = next;
      latest.current.onChange(next);
    };
    const sendSoon = ({ docChanged, transactions }: ViewUpdate) => {
      if (docChanged && !transactions.some((each) => each.annotation(fromOutside) === true) && frame === 0)
        frame = requestAnimationFrame(send);
    };
    const { help: description } = latest.current;
    const created = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          ...extensionsOf(() => latest.current.interval),
          EditorView.contentAttributes.of({ 'aria-description': description }),
          EditorView.updateListener.of(sendSoon),
        ],
      }),
    });
    known.current = latest.current.text;
    view.current = created;
    onReady({
      show: (problem) => {
        const { from, to } = spanOf(created.state.doc.toString(), problem);
        created.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
        created.focus();
      },
    });
    return () => {
      if (frame !== 0) send();
      onReady(null);
      view.current = null;
      created.destroy();
    };
  }, [onReady]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || text === known.current) return;
    known.current = text;
    const change = changeBetween(editor.state.doc.toString(), withPlainLines(text));
    if (change !== null) editor.dispatch({ changes: change, annotations: fromOutside.of(true) });
  }, [text]);
  useEffect(() => {
    // The same text may have other errors on other candles.
    if (view.current !== null) forceLinting(view.current);
  }, [interval]);
  return <div ref={host} data-testid="rule-editor" />;
}

/** The smallest replacement that makes one text of the other: the cursor stays where nothing changes. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < most - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

const LINT_DELAY_MS = 150;
const EDGE_PX = 8;

const extensionsOf = (intervalOf: () => IntervalName) => [
  editorTheme,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': 'Rules',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocorrect: 'off',
  }),
  placeholder('long when rsi(14) < 30'),
  history(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ override: [complete], icons: false }),
  hoverTooltip(hoverDoc),
  // Keeps tooltips off the edges of a narrow screen.
  tooltips({
    tooltipSpace: () => ({ top: 0, left: EDGE_PX, bottom: window.innerHeight, right: window.innerWidth - EDGE_PX }),
  }),
  linter((view) => diagnosticsOf(view.state.doc.toString(), intervalOf()), { delay: LINT_DELAY_MS }),
  colours,
  // No key for Tab: it leaves the editor.
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
];

function diagnosticsOf(text: string, interval: IntervalName): Diagnostic[] {
  const checked = checkRules(text, interval);
  const problems = checked.ok ? checked.value.warnings : checked.error;
  const fixes = fixesOf(text, interval);
  return problems.map((problem, i): Diagnostic => {
    const change = fixes[i] ?? null;
    const fix = { name: 'Use this fix', apply: (view: EditorView) => change && view.dispatch({ changes: change }) };
    return {
      ...spanOf(text, problem),
      severity: checked.ok ? 'warning' : 'error',
      message: problemText(problem),
      renderMessage: () => sentenceElement(problem),
      ...(change === null ? {} : { actions: [fix] }),
    };
  });
}

function sentenceElement(problem: RuleProblem): HTMLElement {
  const element = document.createElement('span');
  for (const { text, isCode } of problemWords(problem)) {
    const part = document.createElement(isCode ? 'code' : 'span');
    part.textContent = text;
    element.append(part);
  }
  return element;
}

const marks = Object.fromEntries(
  ['comment', 'number', 'interval', 'statement', 'operator', 'series', 'function', 'indicator'].map((kind) => [
    kind,
    Decoration.mark({ class: `cm-rule-${kind}` }),
  ]),
);

/** Colours by the tokens of the compiler. */
const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = coloursOf(view.state.doc.toString());
    }
    update({ docChanged, state }: ViewUpdate): void {
      if (docChanged) this.decorations = coloursOf(state.doc.toString());
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function coloursOf(text: string): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { kind, text: word, at } of readTokens(text, createProblems(text))) {
    const mark = marks[kind === 'name' ? kindOfWord(word) : kind];
    if (mark !== undefined && at.start < at.end) builder.add(at.start, at.end, mark);
  }
  return builder.finish();
}

/** Suggestions at the cursor: by themselves after a letter or a dot, else on Ctrl Space. */
function complete(context: CompletionContext) {
  const { state, pos, explicit } = context;
  const isTyped = context.matchBefore(/[A-Za-z_]\w*$|[A-Za-z_)]\.$/) !== null;
  if (!isTyped && !explicit) return null;
  const { from, list } = suggestAt(state.doc.toString(), pos);
  if (list.length === 0) return null;
  return { from, validFor: /^\w*$/, options: list.map(optionOf) };
}

const optionOf = ({ label, detail, lines, kind, insert, cursor }: Suggestion) => ({
  label,
  detail,
  boost: kind === 'name' || kind === 'parameter' ? 1 : 0,
  ...(lines.length === 0 ? {} : { info: () => docElement(lines) }),
  apply: (view: EditorView, _option: unknown, from: number, to: number) =>
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + cursor },
      userEvent: 'input.complete',
    }),
});

/** @param lines the form of the word, then its description */
function docElement(lines: readonly string[], title?: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'cm-rule-doc';
  const add = (text: string, tag: 'p' | 'strong' | 'code', className = '') => {
    const line = document.createElement('p');
    const inner = tag === 'p' ? line : line.appendChild(document.createElement(tag));
    inner.textContent = text;
    inner.className = className;
    element.append(line);
  };
  if (title !== undefined) add(title, 'strong');
  lines.forEach((line, i) => add(line, i === 0 ? 'code' : 'p', i === 0 ? 'cm-rule-form' : ''));
  return element;
}

const isOfWord = (sign: string): boolean => /\w/.test(sign);

/** Documentation of the word under the pointer. */
function hoverDoc(view: EditorView, pos: number) {
  const { text, from } = view.state.doc.lineAt(pos);
  let start = pos - from;
  let end = start;
  while (start > 0 && isOfWord(text[start - 1] ?? '')) start--;
  while (end < text.length && isOfWord(text[end] ?? '')) end++;
  const doc: WordDoc | undefined = docOf(text.slice(start, end));
  if (doc === undefined) return null;
  return {
    pos: from + start,
    end: from + end,
    above: true,
    create: () => {
      const dom = docElement([doc.form, ...doc.lines], doc.title);
      dom.classList.add('cm-rule-hover');
      return { dom };
    },
  };
}
