import type { Random } from './random.ts';

/**
 * Fields that hold ids, as the public API references of services have them, and the form of their values: `{d10}` stands
 * for ten digits, `b` for letters of both cases and digits, `a` for small letters and digits, `A` for capitals and digits,
 * `h` for hexadecimal, `w` for base64url, `{u}` for a UUID.
 */
const FIELDS = `
slack_channel_id C0{A9}|slack_user_id U0{A9}|slack_team_id T0{A9}|channel_id D0{A9}|slack_app_id A0{A9}|slack_bot_id B0{A9}|slack_file_id F0{A9}|slack_message_id {d10}.{d6}
stripe_customer_id cus_{b14}|stripe_subscription_id sub_1{b23}|stripe_invoice_id in_1{b23}|stripe_product_id prod_{b14}|stripe_price_id price_1{b23}|stripe_charge_id ch_3{b23}
stripe_payment_intent_id pi_3{b23}|stripe_account_id acct_1{b15}|stripe_event_id evt_1{b23}|stripe_payment_method_id pm_1{b23}|stripe_refund_id re_3{b23}|stripe_dispute_id dp_1{b23}
stripe_session_id cs_test_{b58}|stripe_transfer_id tr_1{b23}|stripe_payout_id po_1{b23}|stripe_coupon_id {b8}|stripe_webhook_endpoint_id we_1{b23}|stripe_card_id card_1{b23}
notion_page_id {h32}|notion_database_id {u}|notion_block_id {u}|notion_user_id {u}|notion_workspace_id {u}|airtable_base_id app{b14}|airtable_table_id tbl{b14}|airtable_record_id rec{b14}|airtable_view_id viw{b14}
google_calendar_id {a26}@group.calendar.google.com|google_event_id {a26}|google_drive_file_id 1{w32}|google_folder_id 1{w32}|google_sheet_id 1{w43}|google_doc_id 1{w43}|google_place_id ChIJ{w23}|google_project_id acme-prod-{d6}
google_analytics_id G-{A10}|google_tag_manager_id GTM-{A7}|google_message_id {h16}|gmail_thread_id {h16}|google_channel_id UC{w22}|youtube_video_id {w11}|youtube_channel_id UC{w22}|youtube_playlist_id PL{w32}
github_issue_id {d10}|github_repo_id {d9}|github_node_id MDQ6VXNlcj{b8}|github_installation_id {d8}|github_run_id {d11}|github_comment_id {d10}|github_app_id {d6}|github_gist_id {h32}|github_check_suite_id {d11}|github_deployment_id {d10}
gitlab_project_id {d8}|gitlab_pipeline_id {d10}|gitlab_job_id {d10}|gitlab_merge_request_id {d9}|bitbucket_repo_uuid {u}|jira_issue_id {d5}|jira_account_id {h24}|jira_cloud_id {u}|jira_project_id {d5}|jira_board_id {d3}|confluence_page_id {d9}|confluence_space_id {d9}
trello_board_id {h24}|trello_card_id {h24}|trello_list_id {h24}|trello_member_id {h24}|asana_task_id {d16}|asana_project_id {d16}|asana_workspace_id {d16}|asana_user_id {d16}|linear_issue_id {u}|linear_team_id {u}|linear_project_id {u}
monday_board_id {d10}|monday_item_id {d10}|clickup_task_id {a9}|clickup_list_id {d12}|clickup_space_id {d8}|todoist_task_id {d10}|zendesk_ticket_id {d6}|zendesk_user_id {d12}|intercom_conversation_id {d15}|intercom_contact_id {h24}|freshdesk_ticket_id {d5}
hubspot_contact_id {d9}|hubspot_deal_id {d10}|hubspot_company_id {d10}|hubspot_portal_id {d8}|salesforce_account_id 0015g0000{b6}AAA|salesforce_contact_id 0035g0000{b6}AAB|salesforce_opportunity_id 0065g0000{b6}AAC|salesforce_org_id 00D5g0000{b6}EAU|salesforce_case_id 5005g0000{b6}AAD
pipedrive_deal_id {d6}|mailchimp_list_id {h10}|mailchimp_campaign_id {h10}|sendgrid_message_id {w22}.filterdrecv-{a9}|sendgrid_template_id d-{h32}|sendgrid_batch_id {w64}|mailgun_message_id {h32}@mg.acme.io|postmark_message_id {u}|twilio_message_sid SM{h32}|twilio_call_sid CA{h32}
twilio_account_sid AC{h32}|twilio_service_sid MG{h32}|twilio_conversation_sid CH{h32}|twilio_recording_sid RE{h32}|whatsapp_phone_number_id {d15}|whatsapp_business_account_id {d15}|facebook_page_id {d15}|facebook_post_id {d15}_{d15}|facebook_ad_id {d17}|facebook_app_id {d16}
instagram_media_id {d17}|instagram_user_id {d17}|twitter_tweet_id {d19}|twitter_user_id {d19}|linkedin_post_id urn:li:share:{d19}|linkedin_member_id {w10}|discord_guild_id {d18}|discord_channel_id {d18}|discord_message_id {d19}|discord_user_id {d18}|discord_role_id {d18}|telegram_chat_id -100{d10}|telegram_message_id {d6}
aws_account_id {d12}|aws_instance_id i-{h17}|aws_vpc_id vpc-{h17}|aws_subnet_id subnet-{h17}|aws_security_group_id sg-{h17}|aws_volume_id vol-{h17}|aws_ami_id ami-{h17}|aws_request_id {u}|aws_kms_key_id {u}|aws_snapshot_id snap-{h17}|aws_hosted_zone_id Z{A13}|aws_cognito_user_pool_id us-east-1_{b9}
aws_distribution_id E{A13}|azure_tenant_id {u}|azure_subscription_id {u}|azure_resource_group_id rg-{a8}|azure_object_id {u}|azure_client_id {u}|gcp_project_number {d12}|gcp_instance_id {d19}|cloudflare_zone_id {h32}|cloudflare_account_id {h32}|cloudflare_dns_record_id {h32}|cloudflare_ray_id {h16}-FRA
digitalocean_droplet_id {d9}|digitalocean_app_id {u}|heroku_app_id {u}|heroku_dyno_id {u}|vercel_project_id prj_{b28}|vercel_team_id team_{b24}|vercel_deployment_id dpl_{b28}|netlify_site_id {u}|netlify_deploy_id {h24}|fly_machine_id {h14}|render_service_id srv-{a20}|supabase_project_ref {a20}
datadog_monitor_id {d8}|datadog_dashboard_id {a3}-{a3}-{a3}|datadog_trace_id {d19}|datadog_span_id {d19}|sentry_event_id {h32}|sentry_issue_id {d10}|sentry_project_id {d7}|pagerduty_incident_id Q{A13}|pagerduty_service_id P{A6}|opsgenie_alert_id {u}-{d13}|newrelic_account_id {d7}|newrelic_entity_guid {w40}
shopify_order_id {d13}|shopify_product_id {d13}|shopify_variant_id {d14}|shopify_customer_id {d13}|shopify_location_id {d11}|shopify_checkout_id {h32}|square_payment_id {b32}|square_location_id L{A12}|square_customer_id {A26}|paypal_order_id {A17}|paypal_capture_id {A17}|paypal_payer_id {A13}|plaid_item_id {b37}|plaid_account_id {b37}|plaid_transaction_id {b37}
zoom_meeting_id {d11}|zoom_user_id {w22}|zoom_webinar_id {d11}|dropbox_file_id id:{w22}|dropbox_shared_folder_id {d10}|dropbox_account_id dbid:{w39}|box_file_id {d12}|box_folder_id {d12}|figma_file_id {b22}|figma_node_id {d4}:{d5}|figma_team_id {d18}|spotify_track_id {b22}|spotify_playlist_id {b22}|spotify_artist_id {b22}
openai_thread_id thread_{b24}|openai_run_id run_{b24}|openai_assistant_id asst_{b24}|openai_file_id file-{b24}|openai_response_id resp_{h48}|openai_message_id msg_{b24}|anthropic_message_id msg_01{b22}|anthropic_batch_id msgbatch_01{b22}|tool_call_id call_{b24}|langsmith_run_id {u}|pinecone_vector_id vec-{h16}|huggingface_commit_id {h40}
docusign_envelope_id {u}|calendly_event_id {u}|typeform_form_id {b8}|typeform_response_id {a32}|contentful_space_id {a12}|contentful_entry_id {b22}|algolia_object_id {d9}|mixpanel_distinct_id {u}|segment_message_id ajs-next-{h32}|amplitude_device_id {u}R|firebase_project_id acme-{h5}|firebase_uid {b28}|mongo_object_id {h24}|mapbox_tileset_id acme.{b8}
`;

/** Kinds of names whose last word says that they name a thing. */
export const ID_FIELDS: readonly (readonly [field: string, form: string])[] = FIELDS.trim()
  .split(/[|\n]/)
  .map((field) => {
    const at = field.indexOf(' ');
    return [field.slice(0, at), field.slice(at + 1)] as const;
  });

const DIGITS = '0123456789';
const SMALL = 'abcdefghijklmnopqrstuvwxyz';
const ALPHABETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  a: `${SMALL}${DIGITS}`,
  A: `${SMALL.toUpperCase()}${DIGITS}`,
  b: `${SMALL}${SMALL.toUpperCase()}${DIGITS}`,
  w: `${SMALL}${SMALL.toUpperCase()}${DIGITS}-_`,
};

/** A value of this form. */
export function fill(form: string, r: Random): string {
  return form
    .replaceAll('{u}', '{h8}-{h4}-4{h3}-a{h3}-{h12}')
    .replace(/\{(\w)(\d+)\}/g, (_, kind: string, size: string) =>
      r.text(ALPHABETS[kind] as string, Number(size)),
    );
}

const camel = (name: string): string => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/** How calls and texts have such a field. */
export const ID_FORMS: readonly ((name: string, value: string) => unknown)[] = [
  (name, value) => ({ [name]: value }),
  (name, value) => ({ [camel(name)]: value }),
  (name, value) => `${name}: ${value}`,
  (name, value) => `${name.toUpperCase()}=${value}`,
  (name, value) => ({ name, value }),
  (name, value) => `{"${camel(name)}": "${value}"}`,
];
