/** Services whose name before `key`, `id` or the like makes a random value their credential. */
export const SERVICE_NAMES = (
  'abstract adafruit adobe airbrake airtable akeyless alchemy algolia alibaba amplitude anthropic ' +
  'anyscale apify appcues appsignal artifactory asana assemblyai atlassian auth0 authress baidu ' +
  'bamboohr banana beamer bintray bitbucket bitfinex bitly bitrise bittrex bitwarden blizzard bluesky botpress ' +
  'box braintree branch brevo buddy bugsnag buildkite calendly census cerebrium chess circleci cisco ' +
  'clearbit clearml clerk clickhouse clickup clockify clojars cloudflare cloudinary codecov cohere ' +
  'coinbase cometml confluence confluent consul contentful contentstack convertkit coralogix coveralls crisp ' +
  'contribsys crowdin databricks datadog deepgram deepl deepseek delighted digicert digitalocean discord dixa ' +
  'dnkey docusign doppler drift drip drone droneci dropbox dropboxsign duffel dynatrace easypost egnyte ' +
  'elastic elevenlabs equinix etsy facebook fastly feedly figma finicity finnhub firebase fireworks ' +
  'flickr flutterwave fly freemius freshbooks freshdesk front fullstory ghost giphy gitea github gitlab gitter ' +
  'gocardless gogs google gorgias grafana gravatar greenhouse gumroad harness hellosign helpscout ' +
  'heroku hetzner honeycomb hubspot huggingface hunter ibm imgur infisical infracost instagram instana ' +
  'instapaper intercom intra42 ipinfo ipstack iterable jfrog jina jira jotform jumpcloud kaggle keeper ' +
  'klaviyo kraken kucoin kustomer lastpass launchdarkly lever lichess lightstep linear linked_in linkedin linode ' +
  'livechat lob logdna loggly logz lokalise looker luno mailchimp mailgun mailjet mandrill mapbox mastodon ' +
  'mattermost maxmind meraki message_bird messagebird microsoft mistral mixpanel modal monday moralis mux nasa neon ' +
  'neptune netlify new_relic newrelic newsapi newyorktimes ngrok nomad notion npm nvidia nytimes okta olark omise ' +
  'onelogin onepassword openai openrouter openshift openweather opsgenie optimizely oracle otx ovh ' +
  'paddle pagerduty pandadoc papertrail paypal paystack perplexity pinata pinecone pingdom pipedrive ' +
  'plaid planetscale pocket polygon portainer posthog postman postmark prefect private_ai privateai prometheus ' +
  'pulumi pusher qdrant quicknode rackspace railway rancher rapidapi rasa raygun razorpay readme reddit ' +
  'render replicate riot rollbar rubygems runpod salesforce sap scaleway scalingo scoutapm scrapingbee ' +
  'segment semaphore sendbird sendgrid sendinblue sentry serpapi shippo shodan sidekiq shopify shortcut sinch ' +
  'slack smartsheet smugmug snipcart snowflake snyk sonar sonarqube sourcegraph speechmatics splunk ' +
  'spotify square squarespace statuspage steam storyblok strapi strava stripe sumo sumologic supabase ' +
  'surveymonkey tavily tawk teamcity telegram telnyx tencent tiktok todoist together tomtom travis ' +
  'travisci trello turso twilio twitch twitchtv twitter typeform unsplash upstash uptimerobot vault ' +
  'vercel vimeo virustotal vonage voyage vultr wakatime wandb weaviate webex webflow wistia wit ' +
  'woocommerce workday workos xero xray yandex youtube zapier zendesk zeplin zoho zoom'
).split(' ');
