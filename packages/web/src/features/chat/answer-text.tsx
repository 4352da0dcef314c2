import { lazy, memo, Suspense } from "react";

const Rich = lazy(async () => ({ default: (await import("./rich-markdown.tsx")).RichMarkdown }));

/** What a model wrote. The renderer is loaded when the first answer is shown. */
export const AnswerText = memo(function AnswerText({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <div className="prose" dir="auto">
      <Suspense fallback={<p className="as-written">{text}</p>}>
        <Rich text={text} streaming={streaming} />
      </Suspense>
    </div>
  );
});
