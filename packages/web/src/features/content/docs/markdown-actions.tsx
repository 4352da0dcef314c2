import { t } from "@lingui/core/macro";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import styles from "./markdown-actions.module.css";

/** Copies a page as Markdown, and opens its Markdown, for language models and editors. */
export function MarkdownActions({ path }: { path: string }) {
  return (
    <p className={`small ${styles.actions}`}>
      <CopyButton text={() => fetchText(path)} label={t`Copy as Markdown`} className="link" />
      <a className="link" href={path}>
        {t`Open as Markdown`}
      </a>
    </p>
  );
}

/** Throws if the text cannot be loaded. */
async function fetchText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}
