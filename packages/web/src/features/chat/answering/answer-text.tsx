import { memo, Suspense } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "../chat.module.css";
import { PreviewsContext } from "./markdown/previews-context.ts";

const LazyMarkdown = lazyComponent(async () => (await import("./markdown/rich-markdown.tsx")).RichMarkdown);

type Props = {
  text: string;
  streaming: boolean;
  /** Whether drawings and pages in code can be shown as such. */
  hasPreviews?: boolean;
};

/** Renders an answer's Markdown. The renderer is loaded when the first answer is shown. */
export const AnswerText = memo(function AnswerText({ text, streaming, hasPreviews = false }: Props) {
  return (
    <div className={`prose ${styles.written}`} dir="auto">
      <Suspense fallback={<p className={styles.asWritten}>{text}</p>}>
        <PreviewsContext value={hasPreviews}>
          <LazyMarkdown text={text} streaming={streaming} />
        </PreviewsContext>
      </Suspense>
    </div>
  );
});
