import type { ContentNode } from "@feather/markdown/content-node";
import type { ReactNode } from "react";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import styles from "./content.module.css";
import { Content } from "./content.tsx";
import { ContentLoadError } from "./load-error.tsx";
import { PageHeader } from "./page-header.tsx";

type Props = {
  title: string;
  intro: string;
  meta?: ReactNode;
  body: readonly ContentNode[] | undefined;
  hasFailed: boolean;
  retry(): void;
  children?: ReactNode;
};

/** The layout of a blog post or a legal page. */
export function Article({ title, intro, meta, body, hasFailed, retry, children }: Props) {
  return (
    <article className="page-width article">
      <PageHeader title={title} intro={intro} above={meta} />
      <div className={styles.docBody}>
        {hasFailed ? <ContentLoadError retry={retry} /> : body ? <Content nodes={body} /> : <Skeleton height={480} />}
      </div>
      {children}
    </article>
  );
}
