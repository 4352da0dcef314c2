import type { ToolServer, ToolServerSetRequest } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** Whose servers of tools are managed: those of the user's organization, or those for everybody. */
export type Owner = "organization" | "everybody";

/** Returns the calls that change the servers of an owner. */
export const serversOf = (owner: Owner) => (owner === "everybody" ? feather.admin.toolServers : feather.toolServers);

const queriesOf = (owner: Owner) => (owner === "everybody" ? queries.admin.toolServers : queries.toolServers);

/** The servers of an owner. */
export const toolServersQuery = (owner: Owner) => queryOptions({ ...queriesOf(owner).list.queryOptions() });

/** The tools of one server, for which the server is asked each time. */
export const serverToolsQuery = (owner: Owner, name: string) =>
  queryOptions({ ...queriesOf(owner).tools.queryOptions(name), staleTime: 0, gcTime: 0 });

/** Returns the keys of the queries that are refetched after a server of the owner has changed. */
export const listChangedKeys = (owner: Owner) =>
  owner === "everybody"
    ? [...ADMIN_QUERY_KEYS, queries.tools.key()]
    : [toolServersQuery(owner).queryKey, queries.tools.key()];

/** Returns the fields with which a server is set again as it is; its secret is kept. */
export const toRequest = ({ url, header_name, allowed_tools, is_enabled }: ToolServer): ToolServerSetRequest => ({
  ...{ url, header_name, allowed_tools, is_enabled },
});
