import { defaultIntegrationSettings, type IntegrationSettings } from '../schemas/integrations.ts';
import type { ReviewLimits } from '../store/store.ts';

const { maxPendingReviews: most, maxPendingReviewsInSession: mostInSession } = defaultIntegrationSettings;

/** null is the default: settings that were stored before there was one have it. */
export const reviewLimitsOf = ({
  maxPendingReviews,
  maxPendingReviewsInSession,
}: Pick<IntegrationSettings, 'maxPendingReviews' | 'maxPendingReviewsInSession'>): ReviewLimits => ({
  ofSession: maxPendingReviewsInSession ?? (mostInSession as number),
  ofIntegration: maxPendingReviews ?? (most as number),
});
