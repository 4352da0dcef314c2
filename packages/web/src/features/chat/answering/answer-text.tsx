import { memo, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "../chat.module.css";

const LazyMarkdown = lazyComponent(async () => (await import("./markdown/rich-markdown.tsx")).RichMarkdown);

/** Renders an answer's Markdown. The renderer is loaded when the first answer is shown. */
export const AnswerText = memo(function AnswerText({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <div className={`prose ${styles.written}`} dir="auto">
      <Suspense fallback={<p className={styles.asWritten}>{text}</p>}>
        <LazyMarkdown text={text} streaming={streaming} />
      </Suspense>
    </div>
  );
});
