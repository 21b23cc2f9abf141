export const loadingFailed = 'Error loading customers. Please try again.';
