/** Whether a text takes more than `bytes` in UTF-8. Looks at the text only when its length leaves a doubt. */
export function longerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}
