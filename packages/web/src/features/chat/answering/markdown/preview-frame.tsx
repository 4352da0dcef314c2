import { t } from "@lingui/core/macro";
import purifyUrl from "dompurify/dist/purify.min.js?url";
import mermaidUrl from "mermaid/dist/mermaid.min.js?url";
import { useEffect, useRef, useState } from "react";
import styles from "./preview-frame.module.css";
import type { PreviewKind } from "./preview-kind.ts";

const MIN_HEIGHT_PX = 120;
const MAX_HEIGHT_PX = 480;

type Props = { kind: PreviewKind; code: string };
type State = { state: "loading" | "drawn" | "failed"; height: number; message: string };

/**
 * Draws code of a model in a frame that has no origin: it reads nothing of the page, runs nothing of the code, and reaches no network.
 * `public/preview-frame.js` draws, under a policy of its own that the server sends.
 */
export function PreviewFrame({ kind, code }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [{ state, height, message }, setState] = useState<State>(LOADING);
  useEffect(() => {
    function answer({ source, data }: MessageEvent<unknown>): void {
      const target = frame.current?.contentWindow;
      if (!target || source !== target) return;
      const { preview, height, message } = (data ?? {}) as Record<string, unknown>;
      if (preview === "ready") target.postMessage(toDrawing(kind, code), "*"); // a frame without an origin has no other name
      if (preview === "drawn") setState({ state: "drawn", height: toHeight(height), message: "" });
      if (preview === "failed") setState({ ...LOADING, state: "failed", message: toMessage(message) });
    }
    addEventListener("message", answer);
    return () => removeEventListener("message", answer);
  }, [kind, code]);
  return (
    <div className={styles.preview}>
      <iframe
        ref={frame}
        className={styles.frame}
        title={t`Preview`}
        src="/preview-frame.html"
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        height={height}
        hidden={state === "failed"}
        aria-busy={state === "loading"}
      />
      {state === "failed" ? (
        <p className={`small ${styles.problem}`} role="alert">
          {t`It cannot be drawn.`} <span className="user-text">{message}</span>
        </p>
      ) : null}
    </div>
  );
}

const LOADING: State = { state: "loading", height: MIN_HEIGHT_PX, message: "" };
const MAX_MESSAGE_LENGTH = 300;

/** Returns what the frame is sent. It gets the addresses of libraries, which change with each build. */
const toDrawing = (kind: PreviewKind, code: string) => ({
  kind,
  text: code,
  dark: isDark(),
  libraries: kind === "mermaid" ? [purifyUrl, mermaidUrl] : [purifyUrl],
});

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

const toHeight = (height: unknown): number =>
  typeof height === "number" ? Math.min(MAX_HEIGHT_PX, Math.max(MIN_HEIGHT_PX, Math.ceil(height))) : MAX_HEIGHT_PX;

const toMessage = (message: unknown): string =>
  typeof message === "string" ? message.slice(0, MAX_MESSAGE_LENGTH) : "";
