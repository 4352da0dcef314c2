import type { ReactNode } from "react";
import { Skeleton } from "#/components/ui/bits.tsx";
import { Content } from "./content.tsx";
import { LoadFailed } from "./load-failed.tsx";
import type { ContentNode } from "./types.ts";

type Props = {
  title: string;
  lede: string;
  above?: ReactNode;
  body: readonly ContentNode[] | undefined;
  failed: boolean;
  retry(): void;
  children?: ReactNode;
};

/** The layout of a blog post or a legal page. */
export function Article({ title, lede, above, body, failed, retry, children }: Props) {
  return (
    <article className="wrap article">
      <header className="doc-head">
        {above ? <p className="small dim">{above}</p> : null}
        <h1 className="h1">{title}</h1>
        <p className="lede">{lede}</p>
      </header>
      <div className="doc-body">
        {failed ? <LoadFailed retry={retry} /> : body ? <Content nodes={body} /> : <Skeleton height={480} />}
      </div>
      {children}
    </article>
  );
}
