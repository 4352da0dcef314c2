import type { ToolList } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import styles from "#/components/ui/lists/card-list.module.css";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { queries } from "#/lib/queries.ts";

/** The tools that the user may call, by server, for members who do not manage the servers. */
export function CallableTools() {
  const tools = useQuery(queries.tools.list.queryOptions());
  return (
    <Loaded subject={t`the tools`} query={tools}>
      {(list) => <ToolsByServer list={list} />}
    </Loaded>
  );
}

function ToolsByServer({ list: { items, problems } }: { list: ToolList }) {
  const servers = [...new Set(items.map(({ server }) => server))];
  return (
    <>
      {problems.map(({ server, message }) => (
        <p key={server + message} className="notice quiet">
          <Trans>
            <b>{server}</b>: {message}
          </Trans>
        </p>
      ))}
      {items.length === 0 && problems.length === 0 ? (
        <EmptyState title={t`No tools yet`}>
          {t`Admins of the organization add servers that have them. Models in your chats can then call them.`}
        </EmptyState>
      ) : null}
      <ul className={styles.list}>
        {servers.map((server) => (
          <li key={server} className={styles.card}>
            <h2 className="h4">{server}</h2>
            <dl>
              {items
                .filter((tool) => tool.server === server)
                .map(({ name, description }) => (
                  <div key={name} className="mb-2">
                    <dt className="mono small user-text">{name}</dt>
                    <dd className="small muted user-text">{description}</dd>
                  </div>
                ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}
