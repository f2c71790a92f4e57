import type { TextareaHTMLAttributes } from 'react';

/** Several lines of text in the look of every other input. */
export function TextArea({ className = '', ...props }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea {...props} className={`input text-area ${className}`} />;
}
