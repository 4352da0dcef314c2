import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import { modelIdOf } from "../../shared/model-keys.ts";
import { type Following, streamLogs } from "./deployment-logs.ts";
import { noSuchDeployment } from "./deployments.errors.ts";
import { presentDeployment, presentToAdmin, urlOf } from "./deployments.present.ts";
import type { DeploymentRow } from "./deployments.repository.ts";
import type { PrivateCloud } from "./private-cloud.ts";

const USUAL_TAIL = 200;

type Deps = { privateCloud: PrivateCloud; publicUrl: string; lifecycle: { draining: boolean } };

/** Handlers of `deployments.*` and `admin.deployments.*`. */
export function deploymentRoutes({ privateCloud, publicUrl, lifecycle }: Deps): Handlers {
  const { rows, deployments, tokens, providers, metrics } = privateCloud;
  const present = (row: DeploymentRow) => presentDeployment(row, publicUrl);

  async function found(organizationId: string, id: string): Promise<DeploymentRow> {
    const row = await rows.findOf(organizationId, id);
    if (!row) throw noSuchDeployment();
    return row;
  }

  async function listed(organizationId: string | null, query: Parameters<typeof pageOf>[0]) {
    const page = pageOf(query);
    const [items, total] = await Promise.all([
      rows.list(organizationId, page.limit, page.offset),
      rows.count(organizationId),
    ]);
    return { items, pagination: pagination(page, total) };
  }

  async function withNames(items: readonly DeploymentRow[]) {
    const names = await rows.names(items.map(({ id }) => id));
    return items.map((row) => presentToAdmin(row, names.get(row.id), publicUrl));
  }

  return {
    "deployments.providers": async () => ({ items: providers.describe() }),
    "deployments.list": async ({ actor, query }) => {
      const { items, ...rest } = await listed(signedIn(actor).organizationId, query);
      return { items: items.map(present), ...rest };
    },
    "deployments.get": async ({ actor, path }) => present(await found(signedIn(actor).organizationId, path.id)),

    "deployments.create": async ({ actor, body }) => {
      const { row, token } = await deployments.create(signedIn(actor), body);
      return { ...present(row), token };
    },
    "deployments.update": async ({ actor, path, body }) =>
      present(await deployments.update(signedIn(actor), path.id, body)),
    "deployments.delete": async ({ actor, path }) => {
      await deployments.delete(signedIn(actor), path.id);
      return undefined;
    },
    "deployments.pause": async ({ actor, path }) => present(await deployments.pause(signedIn(actor), path.id)),
    "deployments.resume": async ({ actor, path }) => present(await deployments.resume(signedIn(actor), path.id)),
    "deployments.rotateToken": async ({ actor, path }) => ({
      token: await deployments.rotateToken(signedIn(actor), path.id),
    }),

    "deployments.login": async ({ actor, path }) => {
      const { token, expiresAt } = await deployments.login(signedIn(actor), path.id);
      const url = `${publicUrl}/deployments/open?login=${token}`;
      return { url, token, expires_at: expiresAt.toISOString() };
    },
    "deployments.redeemLogin": async ({ body }) => {
      const { deployment, token, expiresAt } = await tokens.redeem(body.token);
      const { id, name, model_id: modelKey } = deployment;
      const url = urlOf(publicUrl, id);
      return {
        deployment_id: id,
        name,
        model_id: modelIdOf(modelKey),
        url,
        token,
        expires_at: expiresAt.toISOString(),
      };
    },

    "deployments.replicas": async ({ actor, path }) => {
      const { id, provider_id, generation } = await found(signedIn(actor).organizationId, path.id);
      const observed = await providers.get(provider_id)?.observe(id);
      const items = (observed?.replicas ?? []).map(({ endpoint: _, ...replica }) => replica);
      return { generation, items };
    },
    "deployments.events": async ({ actor, path }) => {
      const { id } = await found(signedIn(actor).organizationId, path.id);
      const events = await rows.events(id);
      const items = events.map(({ state, message, happened_at }) => ({
        state: state as ReturnType<typeof present>["state"],
        message,
        happened_at: happened_at.toISOString(),
      }));
      return { items };
    },
    "deployments.logs": async ({ actor, path, query, request, reply }) => {
      const { id, provider_id } = await found(signedIn(actor).organizationId, path.id);
      const provider = providers.get(provider_id);
      const lines = [...((await provider?.logs(id, query.tail ?? USUAL_TAIL)) ?? [])];
      if (!provider || !request.headers.accept?.includes("text/event-stream")) return { lines };
      const follow: Following["follow"] = (tell, ended) => provider.follow(id, tell, ended);
      return streamLogs(reply, { lines, follow, draining: () => lifecycle.draining, recheck: request.recheck });
    },
    "deployments.metrics": async ({ actor, path, query }) =>
      metrics(await found(signedIn(actor).organizationId, path.id), query),

    "admin.deployments.list": async ({ query }) => {
      const { items, ...rest } = await listed(null, query);
      return { items: await withNames(items), ...rest };
    },
    "admin.deployments.get": async ({ path }) => {
      const row = await rows.find(path.id);
      if (!row) throw noSuchDeployment();
      const [shown] = await withNames([row]);
      if (!shown) throw noSuchDeployment();
      return shown;
    },
    "admin.deployments.redeploy": async ({ actor, body }) => ({
      results: await deployments.redeploy(signedIn(actor), body.ids),
    }),
  };
}
