/** Questions to start a chat with, from the four default categories. The server's tests ask each of them. */
export const quickQuestions = [
  'How do I get started with Sextant?',
  'What costs credits and what is free?',
  'How do I generate signals?',
  'What does the honesty panel tell me?',
  'How do I use the REST API?',
  'Why was my position not opened?',
] as const;
