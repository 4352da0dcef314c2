import type { ServerSetting } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Fragment } from "react";
import { Tag } from "#/components/ui/labels/tag.tsx";
import styles from "./settings.module.css";

const SOURCES: Record<ServerSetting["source"], string> = {
  environment: t`set in the environment`,
  file: t`set in feather.config.yaml`,
  saved: t`saved`,
  default: t`default`,
};

/** Settings that are set where the server is run: their values, and where they come from. */
export function FixedSettings({ settings }: { settings: readonly ServerSetting[] }) {
  return (
    <dl className={styles.fixed}>
      {settings.map(({ name, description, value, is_secret, source }) => (
        <div key={name}>
          <dt>
            <span className="mono small">{toBreakable(name)}</span>
            <span className="small faint"> · {SOURCES[source]}</span>
          </dt>
          <dd>
            {is_secret ? (
              <Tag>{source === "default" ? t`not set` : t`secret, not shown`}</Tag>
            ) : (
              <span className="mono small user-text">{value ?? "–"}</span>
            )}
            <div className="small muted measure">{description}</div>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the name of a setting that may break after its underscores, so that it does not break within a word. */
const toBreakable = (name: string) =>
  name.split(/(?<=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name keep their order
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
