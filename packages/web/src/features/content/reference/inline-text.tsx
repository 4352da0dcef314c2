/** A description of the contract, with code between backticks. */
export function InlineText({ text }: { text: string }) {
  return text
    .trim()
    .split("`")
    .map((part, index) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
      return index % 2 === 1 ? <code key={index}>{part}</code> : part;
    });
}
