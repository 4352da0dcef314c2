/** Returns a function that makes heading ids: lower case with hyphens, and a number for duplicates. */
export function slugger(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const plain =
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s+/g, "-") || "section";
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  };
}
