// What the package uses of Apple's module ObjectiveC, for .ci/apple. The declarations are those of objc/objc.h,
// objc/NSObject.h and objc/runtime.h: https://github.com/apple-oss-distributions/objc4, runtime/.

#pragma once

#ifdef __OBJC__

typedef struct objc_class *Class;
typedef struct objc_selector *SEL;
typedef struct objc_method *Method;

__attribute__((objc_root_class)) @interface NSObject
- (instancetype)init;
@end

Method _Nullable class_getClassMethod(Class _Nullable cls, SEL _Nonnull name);
void method_exchangeImplementations(Method _Nonnull m1, Method _Nonnull m2);

#endif
