import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createFeather, type Feather } from "@feather/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { isInstalled } from "../deploy/installed.ts";
import { TOKEN_TRANSPORT } from "../support/accounts.ts";
import { ADMIN } from "../support/platform.ts";
import { kubectl } from "./cluster.ts";
import { loadServerImage, SERVER_IMAGE, SERVER_TAG } from "./images.ts";
import { CHART, createRelease, type Release, USER_ID } from "./release.ts";

const NAMESPACE = "platform";
const DEPLOYMENT = {
  name: "support-bot",
  provider_id: "kubernetes",
  region: "cluster",
  instance_type: "cpu",
  model_id: "feather/demo",
  min_replicas: 1,
  max_replicas: 1,
};

const cluster = inject("cluster");
let release: Release;
let feather: Feather;
let token: string;

if (!isInstalled("helm", ["version"]))
  test("the chart is installed", (context) => context.skip("helm is not installed"));
else
  describe("the chart", () => {
    beforeAll(async () => {
      loadServerImage(cluster.state);
      release = createRelease(cluster, NAMESPACE);
      await release.apply([dataVolume(), dataClaim(), secret()]);
    });
    afterAll(async () => {
      await release.helm("uninstall", "feather", "--wait");
    });

    test("installs a server that starts deployments with the rights of its service account", async () => {
      console.log(await release.helm("install", "feather", CHART, "--values", writeValues()));
      await signIn();
      const { id } = await feather.deployments.create(DEPLOYMENT);
      await waitFor(async () => expect(await feather.deployments.get(id)).toMatchObject({ state: "running" }));
      expect(await chat(id)).toBe(200);
      console.log(kubectl(cluster, "get", "deployments,pods", "-n", NAMESPACE));
    });

    test.each([
      ["an upgrade", () => ["upgrade", "feather", CHART, "--values", writeValues(), "--set", "drainTimeout=20"]],
      ["a rollback", () => ["rollback", "feather", "1"]],
    ])("keeps deployments and their pods through %s", async (_name, command) => {
      const [{ id } = { id: "" }] = (await feather.deployments.list()).items;
      const before = await podNames(id);
      console.log(await release.helm(...command()));
      await signIn();
      expect(await podNames(id)).toEqual(before);
      expect(await chat(id)).toBe(200);
    });

    test("leaves nothing of a deployment that is deleted", async () => {
      const [{ id } = { id: "" }] = (await feather.deployments.list()).items;
      await feather.deployments.delete(id);
      const selector = `feather/deployment=${id}`;
      const left = () => kubectl(cluster, "get", "all,secrets", "-n", NAMESPACE, "-l", selector, "-o", "name");
      await waitFor(() => expect(left()).toBe(""));
    });
  });

function writeValues(): string {
  return release.writeValues({
    image: { repository: SERVER_IMAGE, tag: SERVER_TAG, pullPolicy: "Never" },
    publicUrl: "https://models.example.com",
    existingSecrets: ["settings"],
    persistence: { existingClaim: "data" },
    resources: { requests: { cpu: "100m", memory: "512Mi" }, limits: { memory: "2Gi" } },
    deployments: { enabled: true, hardware: [{ id: "cpu", cpu: "50m", memory: "512Mi" }] },
    settings: {
      FEATHER_KUBERNETES_ENGINE_IMAGE: cluster.engineImage,
      FEATHER_KUBERNETES_PULL_POLICY: "Never",
      FEATHER_HUB_REFRESH: "off",
    },
    shutdownDelay: 0,
  });
}

/** Waits for the server's pod, and signs in at its address: there is no ingress here. */
async function signIn(): Promise<void> {
  await release.waitForRollout();
  const baseUrl = await serverUrl();
  const { response } = await createFeather({ baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT).withResponse();
  token = response.headers.get("x-session-token") ?? "";
  feather = createFeather({ baseUrl, token });
}

async function serverUrl(): Promise<string> {
  return (await release.pods())[0]?.url ?? "";
}

async function podNames(id: string): Promise<string[]> {
  return (await feather.deployments.replicas(id)).items.map(({ name }) => name);
}

async function chat(id: string): Promise<number> {
  const response = await fetch(`${await serverUrl()}/api/deployments/${id}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, "x-wait-for-model": "60" },
    body: JSON.stringify({ model: "feather/demo", messages: [{ role: "user", content: "Hello" }], max_tokens: 8 }),
  });
  await response.text();
  return response.status;
}

/** A folder of the node, in place of a storage class. */
function dataVolume() {
  const path = join(cluster.state, "feather-data");
  mkdirSync(path);
  chownSync(path, USER_ID, USER_ID);
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "data" },
    spec: { capacity: { storage: "5Gi" }, accessModes: ["ReadWriteOnce"], storageClassName: "", hostPath: { path } },
  };
}

function dataClaim() {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: NAMESPACE },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      volumeName: "data",
      resources: { requests: { storage: "5Gi" } },
    },
  };
}

function secret() {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "settings", namespace: NAMESPACE },
    stringData: {
      FEATHER_SECRET: "a secret of thirty-two characters",
      FEATHER_ADMIN_EMAIL: ADMIN.email,
      FEATHER_ADMIN_PASSWORD: ADMIN.password,
    },
  };
}
