import { lazy, Suspense } from "react";

const Rendered = lazy(async () => ({ default: (await import("./markdown-renderer.tsx")).MarkdownRenderer }));

/** Markdown from models and people, made harmless. The renderer is loaded when the first text is shown. */
export function Markdown({ text, streaming = false }: { text: string; streaming?: boolean }) {
  return (
    <div className="prose">
      <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
        <Rendered text={text} streaming={streaming} />
      </Suspense>
    </div>
  );
}
