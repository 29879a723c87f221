# Cyrus SASL (Debian: libsasl2-dev) as the target CyrusSasl::sasl2.
find_path(SASL2_INCLUDE_DIR sasl/sasl.h)
find_library(SASL2_LIBRARY sasl2)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CyrusSasl
  REQUIRED_VARS SASL2_LIBRARY SASL2_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "On Debian it is in the package libsasl2-dev.")
mark_as_advanced(SASL2_INCLUDE_DIR SASL2_LIBRARY)

if(CyrusSasl_FOUND AND NOT TARGET CyrusSasl::sasl2)
  add_library(CyrusSasl::sasl2 UNKNOWN IMPORTED)
  set_target_properties(CyrusSasl::sasl2 PROPERTIES
    IMPORTED_LOCATION "${SASL2_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SASL2_INCLUDE_DIR}")
endif()
