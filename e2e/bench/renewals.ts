/** Measures how long a server takes to invoice and charge organizations whose periods have ended, and its memory meanwhile. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Platform, startPlatform } from "../support/platform.ts";
import { listProcessTree, readSharedMb } from "./processes.ts";
import type { ResultRow } from "./result-row.ts";

/** Numbers of organizations: many more take longer, but not longer each, and no more memory. */
const [FEW, MANY] = [1_000, 10_000];
const LOOK_MS = 1_000;
/** The job runs every minute. */
const MAX_WAIT_MS = 120_000;

type Renewals = { organizations: number; seconds: number; peakMb: number };

/** Measures two numbers of organizations on one server with test payments. */
export async function measureRenewals(): Promise<ResultRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "feather-renewals-"));
  chmodSync(folder, 0o711);
  const platform = await startPlatform(folder, { FEATHER_PAYMENTS: "test" });
  try {
    const database = new pg.Client({ host: join(folder, "postgres/run"), user: "feather", database: "feather" });
    await database.connect();
    const few = await renew(platform, database, "few", FEW);
    const many = await renew(platform, database, "many", MANY);
    await database.end();
    return toRows(few, many);
  } finally {
    platform.process.kill("SIGTERM");
    await platform.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

function toRows(few: Renewals, many: Renewals): ResultRow[] {
  const perSecond = ({ organizations, seconds }: Renewals) => organizations / seconds;
  return [
    {
      what: `organizations invoiced and charged, ${many.organizations} due at once`,
      measured: `${perSecond(many).toFixed(0)} a second, ${many.seconds.toFixed(1)} s`,
      reference: `${few.organizations} due at once: ${perSecond(few).toFixed(0)} a second`,
      ratio: (perSecond(few) / perSecond(many)).toFixed(2),
      bar: "≤ 1.1 of the time each",
    },
    {
      what: `memory of all processes meanwhile, ${many.organizations} due at once`,
      measured: `${many.peakMb.toFixed(0)} MB`,
      reference: `${few.organizations} due at once: ${few.peakMb.toFixed(0)} MB`,
      ratio: (many.peakMb / few.peakMb).toFixed(2),
      bar: "≤ 1.1",
    },
  ];
}

/** Adds organizations whose period has ended, and waits until the server has renewed them. */
async function renew(
  platform: Platform,
  database: pg.Client,
  prefix: string,
  organizations: number,
): Promise<Renewals> {
  await addSubscriptions(database, prefix, organizations);
  const giveUpAt = Date.now() + MAX_WAIT_MS;
  let [seconds, peakMb, paid] = [0, 0, 0];
  while (paid < organizations) {
    await sleep(LOOK_MS);
    peakMb = Math.max(peakMb, readSharedMb(listProcessTree(platform.process.pid ?? 0)));
    const { rows } = await database.query<{ paid: string; seconds: string | null }>(PROGRESS, [`${prefix}-%`]);
    paid = Number(rows[0]?.paid ?? 0);
    seconds = Number(rows[0]?.seconds ?? 0);
    if (paid === 0 && Date.now() > giveUpAt) throw new Error("No subscription was renewed.");
  }
  return { organizations, seconds, peakMb };
}

const PROGRESS = `
  select count(*) as paid, extract(epoch from max(paid_at) - min(created_at)) as seconds
  from invoices where organization_id like $1 and status = 'paid'`;

/** Inserts directly into the database: through the API it would take much longer than the renewals. */
async function addSubscriptions(database: pg.Client, prefix: string, count: number): Promise<void> {
  await database.query("begin");
  for (const insert of INSERTS) await database.query(insert, [prefix, count]);
  await database.query("commit");
  await database.query("analyze");
}

const INSERTS = [
  `insert into users (id, email, email_lower, username, name, email_verified_at)
   select $1 || '-' || n, $1 || n || '@example.com', $1 || n || '@example.com', $1 || '-' || n, 'Buyer', now()
   from generate_series(1, $2::integer) as n`,
  "insert into organizations (id, name) select $1 || '-' || n, 'Buyers' from generate_series(1, $2::integer) as n",
  `insert into memberships (organization_id, user_id, role)
   select $1 || '-' || n, $1 || '-' || n, 'admin' from generate_series(1, $2::integer) as n`,
  `insert into payment_methods (id, organization_id, driver, reference, fingerprint, brand, last4, exp_month, exp_year, is_default,
     is_test, created_at)
   select $1 || '-' || n, $1 || '-' || n, 'test', 'test:works:' || $1 || n, $1 || n, 'visa', '4242', 12, 2099, true, true, now()
   from generate_series(1, $2::integer) as n`,
  `insert into subscriptions (id, organization_id, plan_id, status, current_period_start_date, current_period_end_date, anchor_date,
     price_cents)
   select $1 || '-' || n, $1 || '-' || n, 'feather_basic', 'active', now() - interval '1 month', now(), now() - interval '1 month', 1000
   from generate_series(1, $2::integer) as n`,
];
