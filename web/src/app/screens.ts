import { Activity } from '../features/activity/activity.tsx';
import { AllCustomers } from '../features/customers/all-customers.tsx';
import { CustomerSearch } from '../features/customers/customer-search.tsx';
import { EditCustomer } from '../features/customers/edit-customer.tsx';
import { NewCustomer } from '../features/customers/new-customer.tsx';
import { Dashboard } from '../features/dashboard/dashboard.tsx';
import { AllDocuments } from '../features/documents/all-documents.tsx';
import { DocumentSearch } from '../features/documents/document-search.tsx';
import { EditDocument } from '../features/documents/edit-document.tsx';
import { UploadDocument } from '../features/documents/upload-document.tsx';
import { ChangePassword } from '../features/profile/change-password.tsx';
import { Profile } from '../features/profile/profile.tsx';
import { Search } from '../features/search/search.tsx';
import { Invite } from '../features/users/invite.tsx';
import { Users } from '../features/users/users.tsx';
import { AllowedOnly } from './access-denied.tsx';
import { CustomerScreen } from './customer-screen.tsx';
import { DocumentScreen } from './document-screen.tsx';
import { Shell } from './shell/shell.tsx';

/** The screens behind the sign-in form one chunk, because they share most of their code. */
export const screens = {
  Activity,
  AllCustomers,
  AllDocuments,
  AllowedOnly,
  ChangePassword,
  CustomerScreen,
  CustomerSearch,
  Dashboard,
  DocumentScreen,
  DocumentSearch,
  EditCustomer,
  EditDocument,
  Invite,
  NewCustomer,
  Profile,
  Search,
  Shell,
  UploadDocument,
  Users,
};
