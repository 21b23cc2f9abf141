/** Shown if the API has no dashboard endpoint: fixed texts, not real data. */
export const placeholders = {
  customersChange: '+12%',
  documentsChange: '+8%',
  activeUsers: '3',
  documentsThisMonth: '12',
  lastBackup: 'Today at 2:00 AM',
  uptime: '99.9%',
  recentActivity: [
    { text: 'New customer added', when: '2 hours ago' },
    { text: 'Document uploaded', when: '4 hours ago' },
    { text: 'Customer information updated', when: 'Yesterday' },
  ],
} as const;
