import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { isInstalled } from "./installed.ts";
import { listSettingNames } from "./settings.ts";

const CHART = fileURLToPath(new URL("../../deploy/helm/feather", import.meta.url));
/** A helm that was built from its module believes that Kubernetes is an old one. */
const KUBERNETES = ["--kube-version", "1.34.0"];
const REQUIRED = { "image.repository": "registry.example.com/feather", publicUrl: "https://models.example.com" };

type Values = Readonly<Record<string, string>>;
type Manifest = { kind: string; data?: Record<string, string>; spec?: object };

function runHelm(values: Values) {
  const set = Object.entries(values).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  return spawnSync("helm", ["template", "own", CHART, ...KUBERNETES, ...set], { encoding: "utf8" });
}

/** What the chart makes of these values, by kind. Throws helm's message when it refuses them. */
function render(values: Values = {}): Map<string, Manifest> {
  const { stdout, stderr, status } = runHelm({ ...REQUIRED, ...values });
  if (status !== 0) throw new Error(stderr);
  const manifests = parseAllDocuments(stdout).map((document): Manifest => document.toJS());
  // Of several of a kind the first, which is the server's.
  return new Map(manifests.reverse().map((manifest) => [manifest.kind, manifest]));
}

if (!isInstalled("helm", ["version"]))
  test("the Helm chart is tried", (context) => context.skip("helm is not installed"));
else
  describe("the Helm chart", () => {
    test("makes one pod, which has ended before the next one starts", () => {
      const manifests = render();
      expect(manifests.get("Deployment")?.spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
      expect(JSON.stringify(manifests.get("Deployment"))).not.toContain("FEATHER_REPLICA_ADDRESS");
      expect(manifests.has("PersistentVolumeClaim")).toBe(true);
    });

    test("makes several pods that reach each other, and are replaced one after the other", () => {
      const manifests = render({ replicas: "3", "existingSecrets[0]": "database" });
      expect(manifests.get("Deployment")?.spec).toMatchObject({
        replicas: 3,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0 } },
        template: {
          spec: {
            containers: [
              {
                env: [{ name: "POD_IP" }, { name: "FEATHER_REPLICA_ADDRESS", value: "http://$(POD_IP):4001" }],
                ports: [{ name: "http" }, { name: "replicas", containerPort: 4001 }],
              },
            ],
            volumes: [{ name: "data", emptyDir: { sizeLimit: "20Gi" } }, { name: "tmp" }],
          },
        },
      });
      expect(manifests.get("NetworkPolicy")?.spec).toMatchObject({
        ingress: [
          { ports: [{ port: "http" }] },
          {
            ports: [{ port: "replicas" }],
            from: [{ podSelector: { matchLabels: { "app.kubernetes.io/instance": "own" } } }],
          },
        ],
      });
      expect(manifests.get("Service")?.spec).toMatchObject({ ports: [{ name: "http" }] });
      expect(manifests.has("PersistentVolumeClaim")).toBe(false);
    });

    test("scales with the load where that is wanted, and then sets no number of pods", () => {
      const manifests = render({ "autoscaling.enabled": "true", "existingSecrets[0]": "database" });
      expect(manifests.get("HorizontalPodAutoscaler")?.spec).toMatchObject({ minReplicas: 2, maxReplicas: 6 });
      expect(manifests.get("Deployment")?.spec).not.toHaveProperty("replicas");
    });

    test("refuses several pods without Secrets, which hold the database and the secret that they share", () => {
      expect(() => render({ replicas: "2" })).toThrow("existingSecrets");
      expect(() => render({ "autoscaling.enabled": "true" })).toThrow("existingSecrets");
    });

    test("gives the pod no rights beyond its two folders, and no token", () => {
      expect(render().get("Deployment")?.spec).toMatchObject({
        template: {
          spec: {
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: "RuntimeDefault" } },
            containers: [
              {
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ["ALL"] },
                },
                volumeMounts: [{ mountPath: "/var/lib/feather" }, { mountPath: "/tmp" }],
              },
            ],
          },
        },
      });
      expect(render().has("Role")).toBe(false);
    });

    test("gives the server the rights for deployments in one namespace, where they are wanted", () => {
      const manifests = render({ "deployments.enabled": "true", "deployments.namespace": "models" });
      expect(manifests.get("Role")).toMatchObject({ metadata: { namespace: "models" }, rules: expect.any(Array) });
      expect(manifests.get("RoleBinding")).toMatchObject({
        metadata: { namespace: "models" },
        subjects: [{ kind: "ServiceAccount", name: "own-feather" }],
      });
      expect(manifests.get("Deployment")?.spec).toMatchObject({
        template: { spec: { automountServiceAccountToken: true } },
      });
      const data = manifests.get("ConfigMap")?.data ?? {};
      expect(data).toMatchObject({
        FEATHER_KUBERNETES: "in-cluster",
        FEATHER_KUBERNETES_NAMESPACE: "models",
        FEATHER_KUBERNETES_HARDWARE: '[{"id":"cpu"}]',
        FEATHER_KUBERNETES_SERVER_URL: "http://own-feather.default.svc:80",
      });
      expect(listSettingNames()).toEqual(expect.arrayContaining(Object.keys(data)));
    });

    test("lets pods of models be called by the server alone, and reach names, the hub and the server", () => {
      const { stdout } = runHelm({ ...REQUIRED, "deployments.enabled": "true", "deployments.namespace": "models" });
      const policies = parseAllDocuments(stdout)
        .map(
          (document) =>
            document.toJS() as { kind: string; metadata: { name: string; namespace?: string }; spec: object },
        )
        .filter(({ kind }) => kind === "NetworkPolicy");
      const server = { podSelector: { matchLabels: { "app.kubernetes.io/instance": "own" } } };
      expect(policies).toMatchObject([
        { metadata: { name: "own-feather" } },
        {
          metadata: { name: "own-feather-models", namespace: "models" },
          spec: {
            podSelector: { matchLabels: { "app.kubernetes.io/component": "model" } },
            policyTypes: ["Ingress", "Egress"],
            ingress: [{ ports: [{ port: "http" }], from: [server] }],
            egress: [
              { ports: [{ port: 53 }, { port: 53 }] },
              { ports: [{ port: "http" }], to: [server] },
              { ports: [{ port: 443 }], to: [{ ipBlock: { cidr: "0.0.0.0/0" } }, { ipBlock: { cidr: "::/0" } }] },
            ],
          },
        },
      ]);
    });

    test("lets pods of models in where the callers of the server are named, at an address that can be set", () => {
      const manifests = render({
        "deployments.enabled": "true",
        "deployments.namespace": "models",
        "networkPolicy.from[0].podSelector.matchLabels.app": "ingress",
        "settings.FEATHER_KUBERNETES_SERVER_URL": "https://models.example.com",
      });
      expect(manifests.get("ConfigMap")?.data).toMatchObject({
        FEATHER_KUBERNETES_SERVER_URL: "https://models.example.com",
      });
      expect(manifests.get("NetworkPolicy")?.spec).toMatchObject({
        ingress: [
          { ports: [{ port: "http" }], from: [{ podSelector: { matchLabels: { app: "ingress" } } }] },
          {
            ports: [{ port: "http" }],
            from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "models" } } }],
          },
        ],
      });
    });

    test("gives the server the time to drain that its settings say, and more", () => {
      const manifests = render({ shutdownDelay: "20", drainTimeout: "100" });
      expect(manifests.get("ConfigMap")?.data).toMatchObject({
        FEATHER_SHUTDOWN_DELAY: "20",
        FEATHER_DRAIN_TIMEOUT: "100",
      });
      expect(manifests.get("Deployment")?.spec).toMatchObject({
        template: { spec: { terminationGracePeriodSeconds: 150 } },
      });
    });

    test("sets nothing that is not a setting", () => {
      const data = render({ trustedProxies: "10.244.0.0/16" }).get("ConfigMap")?.data ?? {};
      expect(listSettingNames()).toEqual(expect.arrayContaining(Object.keys(data)));
      expect(data.FEATHER_TRUSTED_PROXIES).toBe("10.244.0.0/16");
    });

    test("takes secrets from Secrets of the operator's, and refuses them among the values", () => {
      expect(render({ "existingSecrets[0]": "database" }).get("Deployment")?.spec).toMatchObject({
        template: { spec: { containers: [{ envFrom: [{}, { secretRef: { name: "database" } }] }] } },
      });
      for (const name of ["FEATHER_SECRET", "DATABASE_URL", "SMTP_URL"])
        expect(() => render({ [`settings.${name}`]: "x" })).toThrow(`invalid propertyName '${name}'`);
    });

    test("opens no port for metrics, and says nothing to Prometheus, until it is asked to", () => {
      const manifests = render();
      expect(manifests.has("ServiceMonitor")).toBe(false);
      expect(JSON.stringify([...manifests.values()])).not.toMatch(/prometheus|metrics/i);
    });

    test("opens a port for metrics with annotations or a ServiceMonitor, apart from the service of requests", () => {
      const annotated = render({ "metrics.enabled": "true", "metrics.scrapeAnnotations": "true" });
      expect(annotated.get("ConfigMap")?.data).toMatchObject({
        FEATHER_METRICS_PORT: "9464",
        FEATHER_METRICS_HOST: "0.0.0.0",
      });
      expect(annotated.get("Deployment")?.spec).toMatchObject({
        template: {
          metadata: { annotations: { "prometheus.io/scrape": "true", "prometheus.io/port": "9464" } },
          spec: { containers: [{ ports: [{ name: "http" }, { name: "metrics", containerPort: 9464 }] }] },
        },
      });
      expect(annotated.get("Service")?.spec).toMatchObject({ ports: [{ name: "http" }] });
      expect(annotated.get("NetworkPolicy")?.spec).toMatchObject({
        ingress: [{ ports: [{ port: "http" }] }, { ports: [{ port: "metrics" }] }],
      });
      const monitored = render({
        "metrics.enabled": "true",
        "metrics.serviceMonitor.enabled": "true",
        "metrics.serviceMonitor.labels.release": "prometheus",
      });
      expect(monitored.get("Service")?.spec).toMatchObject({ clusterIP: "None", ports: [{ name: "metrics" }] });
      expect(monitored.get("ServiceMonitor")).toMatchObject({
        metadata: { labels: { release: "prometheus" } },
        spec: {
          selector: { matchLabels: { "app.kubernetes.io/component": "metrics" } },
          endpoints: [{ port: "metrics", path: "/metrics", interval: "30s" }],
        },
      });
    });

    test("refuses an address without HTTPS, and an ingress without a name or a certificate", () => {
      expect(() => render({ publicUrl: "http://models.example.com" })).toThrow("/publicUrl");
      for (const value of ["ingress/host", "ingress/tlsSecret"])
        expect(() => render({ "ingress.enabled": "true" })).toThrow(value);
      const ingress = { "ingress.enabled": "true", "ingress.host": "models.example.com", "ingress.tlsSecret": "tls" };
      expect(render(ingress).get("Ingress")?.spec).toMatchObject({ tls: [{ hosts: ["models.example.com"] }] });
    });
  });
