import styles from "./copy-block.module.css";
import { CopyButton } from "./copy-button.tsx";

/** A text with a copy button, such as an API key. */
export function CopyBlock({ text }: { text: string }) {
  return (
    <div className="code mt-4">
      <div className={`row between ${styles.copied}`}>
        <code className="mono">{text}</code>
        <CopyButton text={text} className="btn" />
      </div>
    </div>
  );
}
