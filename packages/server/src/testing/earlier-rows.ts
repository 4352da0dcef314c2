/**
 * Rows as versions of the server wrote them before later migrations came: by the migration after which they are
 * inserted. Each table that a later migration changes has some.
 */
export const EARLIER_ROWS: Readonly<Record<string, string>> = {
  "0001-identity": `
    insert into organizations (id, name) values ('org_1', 'Acme'), ('org_2', 'Bolt');
    insert into users (id, email, email_lower, username, name, password_hash, is_admin) values
      ('usr_1', 'Ada@example.com', 'ada@example.com', 'ada', 'Ada', 'hash', true),
      ('usr_2', 'bo@example.com', 'bo@example.com', 'bo', 'Bo', 'hash', false);
    insert into memberships (organization_id, user_id, role) values
      ('org_1', 'usr_1', 'admin'), ('org_1', 'usr_2', 'developer'), ('org_2', 'usr_2', 'admin');
    insert into sessions (id, secret_hash, user_id, expires_at) values ('ses_1', '\\x01', 'usr_1', '2030-01-01');
    insert into api_keys (id, organization_id, created_by, name, prefix, last4, secret_hash, scopes, allowed_models,
      ip_allowlist, max_concurrency, spend_limit_nano_usd, limit_reset, expires_at) values
      ('key_1', 'org_1', 'usr_1', 'CI', 'rc_abc', 'wxyz', '\\x0001ff', '{api.access}', '{Acme/own,acme/open}', '{10.0.0.0/8}', 2,
        12345678901234567890, 'month', '2030-01-01T00:00:00.123456Z'),
      ('key_2', 'org_2', null, 'Old', 'rc_def', 'abcd', '\\x02', '{}', '{}', '{}', null, null, 'none', null);
    insert into one_time_tokens (secret_hash, purpose, user_id, expires_at) values ('\\x03', 'verify', 'usr_2', '2030-01-01');`,
  "0002-plans": `
    insert into plans (id, name, description, audience, billing_mode, price_usd_cents, billing_interval, api_keys_max,
      private_models, features) values
      ('feather_max', 'Max', 'Everything, and deployments of your own.', 'individual', 'subscription', 5000, 'month', 10, null, '{Any model,Fast}'),
      ('ours', 'Ours', 'Written by the operator.', 'custom', 'subscription', 10000, 'year', 10, null, '{Any model}');
    insert into subscriptions (id, organization_id, plan_id, quantity, status, current_period_end_date) values
      ('sub_1', 'org_1', 'feather_max', 2, 'active', '2026-02-01'), ('sub_2', 'org_2', 'ours', 1, 'past_due', null);`,
  "0003-catalogue": `
    insert into families (id, name, owner, description) values ('fam', 'Fam', 'acme', 'A family.');
    insert into sub_types (family_id, id, name, description) values ('fam', 'fam-1', 'Fam 1', 'The first.');
    insert into model_classes (id, name, family_id, context_length, concurrency_cost) values ('fam-8b', 'Fam 8B', 'fam', 4096, 2);
    insert into models (id, id_lower, owned_by, name, family_id, sub_type_id, model_class_id, parameter_size, source,
      organization_id, tags, downloads) values
      ('acme/open-8b', 'acme/open-8b', 'acme', 'open-8b', 'fam', 'fam-1', 'fam-8b', 8000000000, 'hub', null, '{coding}', 0),
      ('acme/loved', 'acme/loved', 'acme', 'loved', 'fam', 'fam-1', 'fam-8b', 9007199254740991, 'catalogue', null, '{}', 77),
      ('Acme/own', 'acme/own', 'Acme', 'own', null, null, 'fam-8b', null, 'private', 'org_1', '{}', 0);
    insert into reviews (id, model_id, user_id, rating, review) values ('rev_1', 'acme/open-8b', 'usr_2', 4, 'Good.');
    insert into seeds (name, content_hash) values ('earlier', 'hash');`,
  "0004-gateway": `
    insert into requests (id, organization_id, user_id, api_key_id, model_id, model_class_id, backend, kind, outcome, status,
      streamed, prompt_tokens, completion_tokens, units, started_at, duration_ms) values
      ('req_first', 'org_1', 'usr_1', 'key_1', 'Acme/own', 'fam-8b', 'gpu', 'chat', 'completed', 200, true, 10, 20, 2, '2025-11-30T23:59:59.999Z', 5),
      ('req_failed', 'org_2', null, null, 'acme/open-8b', 'fam-8b', null, 'embedding', 'failed', 502, false, 0, 0, 2, '2026-01-01T00:00:00Z', 7);`,
  "0005-foundation": `
    insert into idempotency_keys (id, operation_id, body_hash, status, answer, created_at) values ('\\x01', 'apiKeys.create', '\\x02', 201, '\\x03', '2026-01-01');
    insert into outbox (id, kind, recipient, subject, body, created_at, send_after) values ('msg_1', 'verify', 'bo@example.com', 'Hello', 'Bo', '2026-01-01', '2026-01-01');
    insert into audit_log (sequence, id, at, action, organization_id, previous_hash, hash) values (1, 'aud_1', '2026-01-01', 'keys.create', 'org_1', '\\x00', '\\x01');`,
  "0006-identity": `
    update users set sealed_totp_secret = '\\x05', totp_enabled_at = '2026-01-01', totp_last_step = 58000000 where id = 'usr_1';
    insert into recovery_codes (user_id, code_hash) values ('usr_1', '\\x06');
    insert into linked_accounts (provider, subject, user_id, linked_at) values ('github', '7', 'usr_2', '2026-01-01');
    insert into provider_visits (state_hash, provider, browser_hash, code_verifier, nonce, expires_at) values ('\\x07', 'github', '\\x08', 'v', 'n', '2026-01-01');`,
  "0007-people": `
    update api_keys set previous_secret_hash = '\\x09', previous_secret_expires_at = '2026-02-01' where id = 'key_1';
    insert into invitations (id, organization_id, email, email_lower, role, secret_hash, invited_by, created_at, sent_at, expires_at)
      values ('inv_1', 'org_1', 'Cy@example.com', 'cy@example.com', 'viewer', '\\x0a', 'usr_1', '2026-01-01', '2026-01-01', '2030-01-01');`,
  "0008-oauth": `
    insert into applications (id, organization_id, name, redirect_uris, scopes, client_type, status, secret_hash)
      values ('app_1', 'org_2', 'Tool', '{https://tool.example.com}', '{user.read}', 'confidential', 'active', '\\x0b');
    insert into oauth_grants (id, user_id, organization_id, application_id, scopes, granted_at) values ('grt_1', 'usr_1', 'org_1', 'app_1', '{user.read}', '2026-01-01');
    insert into oauth_families (id, grant_id, scopes, created_at) values ('ofm_1', 'grt_1', '{user.read}', '2026-01-01');
    insert into oauth_tokens (id, family_id, kind, secret_hash, scopes, expires_at) values ('tok_1', 'ofm_1', 'refresh', '\\x0c', '{user.read}', '2030-01-01');
    insert into oauth_codes (secret_hash, grant_id, redirect_uri, scopes, expires_at) values ('\\x0d', 'grt_1', 'https://tool.example.com', '{user.read}', '2026-01-01');
    insert into oauth_device_codes (secret_hash, user_code, application_id, scopes, interval_s, expires_at) values ('\\x0e', 'ABCD-EFGH', 'app_1', '{user.read}', 5, '2026-01-01');`,
  "0009-ledger": `
    begin;
    insert into ledger_transactions (id, kind, organization_id, description, reference, created_at) values
      ('txn_1', 'grant', 'org_1', 'Welcome', 'grant:org_1', '2026-01-01'), ('txn_2', 'grant', 'org_gone', 'Welcome', 'grant:org_gone', '2026-01-01'),
      ('txn_3', 'usage', 'org_1', 'Request', 'usage:req_charged', '2026-01-02');
    insert into ledger_entries (transaction_id, account, amount_nano_usd) values
      ('txn_1', 'credits:org_1', 12345678901234567890), ('txn_1', 'promotions', -12345678901234567890),
      ('txn_2', 'credits:org_gone', 300), ('txn_2', 'promotions', -300),
      ('txn_3', 'credits:org_1', -4321), ('txn_3', 'revenue:usage', 4321);
    commit;
    insert into credit_reservations (request_id, organization_id, api_key_id, amount_nano_usd, expires_at) values ('req_open', 'org_1', 'key_1', 99, '2026-01-01');
    insert into api_key_spend (api_key_id, day, spent_nano_usd) values ('key_1', '2026-01-02', 4321);
    insert into prices (id, scope, target, prompt, completion, effective_at, created_at) values ('price_1', 'model', 'acme/open-8b', 0.000000000000001, 0.0000002, '2026-01-01', '2026-01-01');
    insert into requests (id, organization_id, user_id, api_key_id, model_id, model_class_id, kind, outcome, status, streamed,
      prompt_tokens, completion_tokens, units, started_at, duration_ms, billing_mode, cost_status, cost_nano_usd, price_id, prompt_price) values
      ('req_charged', 'org_1', 'usr_1', 'key_1', 'acme/open-8b', 'fam-8b', 'chat', 'completed', 200, false, 100, 200, 2, '2026-01-02', 3,
        'request_pricing', 'final', 4321, 'price_1', 0.000000000000001);`,
  "0010-billing": `
    insert into billing_accounts (organization_id, version, balance_cents) values ('org_1', 3, 1234), ('org_2', 1, 0);
    insert into coupon_redemptions (coupon_code, organization_id, redeemed_at) values ('STAY20', 'org_2', '2026-01-01');
    update subscriptions set anchor_date = '2026-01-01', value_cents = 5000, coupon_code = 'STAY20', pending_plan_id = 'ours', pending_quantity = 1 where id = 'sub_1';
    insert into payment_methods (id, organization_id, driver, reference, fingerprint, brand, last4, exp_month, exp_year, is_test, created_at)
      values ('pm_1', 'org_1', 'test', 'card', 'print', 'visa', '4242', 12, 2030, true, '2026-01-01');
    insert into setup_intents (id, organization_id, client_secret_hash, status, is_test, created_at, expires_at) values ('seti_1', 'org_1', '\\x0f', 'succeeded', true, '2026-01-01', '2026-01-02');
    insert into invoice_numbers (year, last) values (2026, 7);
    insert into invoices (id, organization_id, number, kind, status, subscription_id, lines, subtotal_cents, discount_cents, tax_cents,
      total_cents, billed_to, is_test, created_at) values
      ('in_1', 'org_1', '2026-0007', 'period', 'paid', 'sub_1', '[{"amount_cents": 5000}]', 5000, 1000, 0, 4000, '{}', true, '2026-01-01');
    insert into payments (id, organization_id, purpose, invoice_id, amount_cents, status, driver, is_test, created_at) values ('pay_1', 'org_1', 'invoice', 'in_1', 4000, 'succeeded', 'test', true, '2026-01-01');
    insert into refunds (id, payment_id, amount_cents, reason, created_at) values ('ref_1', 'pay_1', 10, 'Kind', '2026-01-01');
    insert into payment_events (id, type, payment_id, received_at) values ('evt_1', 'succeeded', 'pay_1', '2026-01-01');
    insert into test_charges (idempotency_key, card, amount_cents, status, created_at) values ('k', 'card', 4000, 'succeeded', '2026-01-01');
    insert into checkout_sessions (id, secret_hash, organization_id, user_id, plan_id, quantity, created_at, expires_at) values ('cs_1', '\\x10', 'org_1', 'usr_1', 'ours', 1, '2026-01-01', '2026-01-02');
    insert into portal_sessions (secret_hash, organization_id, user_id, created_at, expires_at) values ('\\x11', 'org_1', 'usr_1', '2026-01-01', '2026-01-02');
    insert into trials (subscription_id, card_fingerprint, email_family, started_at) values ('sub_1', 'print', 'ada@example.com', '2026-01-01');
    insert into referral_codes (user_id, code) values ('usr_1', 'ABCDEFGH');
    insert into referrals (referred_user_id, referrer_user_id, referred_organization_id, referrer_organization_id, created_at) values ('usr_2', 'usr_1', 'org_2', 'org_1', '2026-01-01');
    insert into referral_rewards (id, referred_user_id, beneficiary_user_id, organization_id, method, invoice_id, amount_nano_usd,
      original_nano_usd, status, created_at, release_at) values ('rwd_1', 'usr_2', 'usr_1', 'org_1', 'credits', 'in_1', 5, 5, 'held', '2026-01-01', '2026-02-01');
    insert into referral_payouts (id, organization_id, user_id, amount_nano_usd, is_test, created_at) values ('out_1', 'org_1', 'usr_1', 5, true, '2026-01-01');
    insert into marketplace_accounts (id, organization_id, provider, customer_id, product, status, is_test, created_at) values ('mkt_1', 'org_2', 'aws', 'c', 'p', 'active', true, '2026-01-01');
    insert into marketplace_tokens (token_hash, account_id, used_at) values ('\\x12', 'mkt_1', '2026-01-01');`,
  "0011-catalogue": `
    insert into hub_misses (id_lower, checked_at) values ('acme/none', '2026-01-01');
    insert into removed_models (id_lower, removed_at) values ('acme/gone', '2026-01-01');
    insert into favorites (user_id, model_id, created_at) values ('usr_1', 'Acme/own', '2026-01-01'), ('usr_1', 'acme/open-8b', '2026-01-01');
    insert into review_votes (review_id, user_id, created_at) values ('rev_1', 'usr_1', '2026-01-01');
    insert into review_reports (review_id, user_id, reason, created_at) values ('rev_1', 'usr_1', 'spam', '2026-01-01');
    insert into model_requests (organization_id, id_lower, model_id, requested_by, created_at) values ('org_2', 'acme/new', 'acme/new', 'usr_2', '2026-01-01');
    insert into model_unlocks (organization_id, model_id, method, unlocked_at) values ('org_1', 'acme/open-8b', 'waived', '2026-01-01');`,
  "0013-hosting": `
    insert into store_pulls (id, model_id, revision, file, state, bytes_total, organization_id, created_at, updated_at) values
      ('pull_1', 'acme/open-8b', 'c0ffee', 'open.gguf', 'queued', 8000000000, null, '2026-01-01', '2026-01-01'),
      ('pull_2', 'Acme/own', 'c0ffee', 'own.gguf', 'done', 5, 'org_1', '2026-01-01', '2026-01-01');
    insert into store_files (model_id, file, revision, sha256, size, organization_id, bytes_per_token, created_at) values ('acme/open-8b', 'open.gguf', 'c0ffee', 'ab', 8000000000, null, 131072, '2026-01-01');
    insert into private_models (organization_id, model_id, name, revision, pull_id, created_at, updated_at) values ('org_1', 'Acme/own', 'own', 'main', 'pull_2', '2026-01-01', '2026-01-01');
    insert into deployments (id, organization_id, name, provider_id, region, instance_type, model_id, min_replicas, max_replicas,
      autoscale_metric, autoscale_target, engine_args, visibility, state, created_at, updated_at) values
      ('dep_1', 'org_1', 'mine', 'local', 'here', 'cpu', 'Acme/own', 0, 2, 'pending_requests', 4, '{"a": [1, null]}', 'private', 'running', '2026-01-01', '2026-01-01'),
      ('dep_2', 'org_2', 'theirs', 'local', 'here', 'cpu', 'acme/open-8b', 1, 1, 'pending_requests', 4, '{}', 'public', 'paused', '2026-01-01', '2026-01-01');
    insert into deployment_tokens (secret_hash, deployment_id, purpose, created_at) values ('\\x13', 'dep_1', 'api', '2026-01-01');
    insert into deployment_events (deployment_id, state, message, happened_at) values ('dep_1', 'running', 'Ready.', '2026-01-01');`,
  "0014-operations": `
    insert into backends (id, name, base_url, sealed_api_key, models, created_at, updated_at) values ('bck_1', 'gpu', 'https://gpu.example.com', '\\x14', '{acme/open-8b}', '2026-01-01', '2026-01-01');
    insert into incidents (id, title, body, state, started_at, updated_at) values ('inc_1', 'Down', 'Soon.', 'resolved', '2026-01-01', '2026-01-01');
    insert into unit_refusals (organization_id, minute, refused) values ('org_1', '2026-01-01T00:01:00Z', 3);
    insert into requests (id, organization_id, user_id, api_key_id, model_id, model_class_id, backend, kind, outcome, status, streamed,
      prompt_tokens, completion_tokens, units, started_at, duration_ms) values
      ('req_summed', 'org_1', 'usr_1', 'key_1', 'Acme/own', 'fam-8b', 'gpu', 'chat', 'completed', 200, true, 1000, 2000, 2, '2026-02-28T23:59:59Z', 5),
      ('req_ahead', 'org_2', 'usr_2', null, 'acme/open-8b', 'fam-8b', 'gpu', 'chat', 'failed', 500, true, 7, 0, 2, '9000-01-01', 5);`,
  "0020-installation": `insert into installation (secret_fingerprint, created_at) values ('\\x15', '2026-01-01');`,
  "0022-registration": `
    insert into platform_invitations (id, email, email_lower, secret_hash, invited_by, created_at, expires_at) values ('pin_1', 'di@example.com', 'di@example.com', '\\x16', 'usr_1', '2026-01-01', '2030-01-01');`,
  "0027-subscription-terms": `
    insert into billing_notices (subscription_id, kind, about, sent_at) values ('sub_1', 'trial_end', '2026-02-01', '2026-01-01');`,
  "0029-passkeys": `
    insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, backed_up, name, created_at) values ('psk_1', 'usr_1', '\\x17', '\\x18', 3, '{internal}', true, 'Laptop', '2026-01-01');`,
  "0054-model-sources": `
    insert into model_sources (model_id, repository, files, precise_bytes, read_at) values ('acme/open-8b', 'acme/open-gguf', '[{"path": "open.gguf", "size": 5}]', 16000000000, '2026-01-01');`,
  "0056-vllm-models": `
    insert into vllm_models (model_id, repository, revision, file, size, bytes_per_token, tool_parser, created_at) values ('acme/loved', 'acme/loved', 'c0ffee', 'model.safetensors', 5, 7, 'hermes', '2026-01-01');`,
  "0080-webhooks": `
    insert into webhook_endpoints (id, organization_id, url, event_types, secret) values ('whe_1', 'org_1', 'https://hooks.example.com', '{key.created}', '\\x19');
    insert into webhook_events (id, organization_id, type, body, created_at) values ('evt_1', 'org_1', 'key.created', '{"a": 1}', '2026-01-01');
    insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, send_after, created_at) values ('whd_1', 'org_1', 'whe_1', 'evt_1', '2026-01-01', '2026-01-01');`,
  "0082-replicas": `
    insert into replicas (id, address, can_lead, renewals) values ('rpl_1', 'http://10.0.0.1:4001', true, 77);
    insert into replica_leader (replica_id) values ('rpl_1');`,
  "0084-limits-of-replicas": `
    insert into borrowed_units (pool, replica_id, units) values ('organization:org_1', 'rpl_1', 3);
    insert into model_switches (organization_id, model, replica_id, free_at) values ('org_1', 'acme/open-8b', 'rpl_1', '2026-01-01');
    insert into daily_requests (organization_id, day, counted) values ('org_1', '2026-01-01', 41);`,
  "0090-budgets": `
    insert into budgets (organization_id, user_id, amount_nano_usd, period, hard, warning_percent, period_start, spent_nano_usd, warned_period, created_at, updated_at)
      values ('org_1', null, 5000000000, 'month', true, 80, '2026-01-01', 4000000001, '2026-01-01', '2026-01-01', '2026-01-01'),
        ('org_1', 'usr_2', 1, 'none', false, 100, '2026-01-01', 0, null, '2026-01-01', '2026-01-01');`,
  "0182-billing-details": `
    insert into billing_details (organization_id, name, address, country, vat_id, email, updated_at) values ('org_1', 'Acme', E'Quai 1\\n75001 Paris', 'FR', 'FR32123456789', null, '2026-01-01');`,
  "0160-payment-services": `
    insert into payment_customers (organization_id, driver, reference, created_at) values ('org_1', 'stripe', 'cus_1', '2026-01-01');`,
  "0162-disputes": `
    insert into disputes (id, payment_id, status, reason, amount_cents, fee_cents, opened_at) values ('dp_1', 'pay_1', 'won', 'fraudulent', 4000, 1500, '2026-01-03');`,
  "0183-credit-notes": `
    insert into credit_notes (id, invoice_id, organization_id, number, tax_cents, total_cents, is_test, created_at) values ('crn_1', 'in_1', 'org_1', 'CN-2026-0001', 0, 400, true, '2026-01-02');`,
};
