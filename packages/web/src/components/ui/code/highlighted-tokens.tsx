import styles from "./highlighted-tokens.module.css";

type Props = {
  /** Pieces of code with the highlight.js class of each (`string`, `comment` …), or null for plain text. */
  tokens: readonly { text: string; kind: string | null }[];
};

/** Code with syntax highlighting. */
export function HighlightedTokens({ tokens }: Props) {
  let offset = 0;
  return tokens.map(({ text, kind }) => {
    const key = offset;
    offset += text.length;
    return kind === null ? (
      text
    ) : (
      <span key={key} className={styles[kind]}>
        {text}
      </span>
    );
  });
}
