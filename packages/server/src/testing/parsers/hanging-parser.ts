/** A fake parser that never returns, whatever the text is. */
export default function hang(): never {
  for (;;);
}
