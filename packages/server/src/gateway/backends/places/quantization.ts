/** A format of weights in the name of a model or of its file, such as `-FP8`, `-AWQ` or `.Q4_K_M`. */
const FORMAT =
  /(?:^|[-_.:@/])(nvfp4|mxfp4|fp4|fp8|b?f16|fp16|f32|awq|int[48]|i?q[1-8]_(?:[01]|k(?:_(?:xl|[sml]))?|xxs|xs|nl|[sm]))(?=$|[-_.:])/i;

/** Returns the format of the weights that one of the names states, in capitals; null if none does. */
export function readQuantization(names: readonly string[]): string | null {
  for (const name of names) {
    const match = FORMAT.exec(name);
    if (match?.[1] !== undefined) return match[1].toUpperCase();
  }
  return null;
}
